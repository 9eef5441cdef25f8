// Line icons, 20 by 20.

const PATHS = {
  play: 'M6 4.2v11.6L15.5 10z',
  pause: 'M6 4h3v12H6zM11 4h3v12h-3z',
  next: 'M4 4.5v11l8-5.5zM13.5 4.5H16v11h-2.5z',
  previous: 'M16 4.5v11L8 10zM4 4.5h2.5v11H4z',
  loop: 'M4 9V8a3 3 0 0 1 3-3h8m0 0-2.5-2.5M15 5l-2.5 2.5M16 11v1a3 3 0 0 1-3 3H5m0 0 2.5 2.5M5 15l2.5-2.5',
  volume: 'M3 8v4h3l4 3.5v-11L6 8zM13 7.5a3.5 3.5 0 0 1 0 5M15 5a7 7 0 0 1 0 10',
  muted: 'M3 8v4h3l4 3.5v-11L6 8zM13 8l4 4m0-4-4 4',
  add: 'M10 4v12M4 10h12',
  close: 'M5 5l10 10M15 5 5 15',
  copy: 'M7 7V4h9v9h-3M4 7h9v9H4z',
  collected: 'M5.5 3h9v14L10 13.500 5.500 17z',
  check: 'M4.5 10.500l3.500 3.500 7.500-8',
  menu: 'M3 5h14M3 10h14M3 15h14',
  search: 'M8.5 3.5a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM12.2 12.2 16.5 16.5',
  filter: 'M3 5h14M6 10h8M8.5 15h3',
  shuffle: 'M3 6h3l8 8h3m0 0-2-2m2 2-2 2M3 14h3l2-2m4-4 2-2h3m0 0-2-2m2 2-2 2',
  hover: 'M5 3.5l9 6-4 1-1.5 4.5zM13 14l3 3',
  drag: 'M7 5h.01M7 10h.01M7 15h.01M13 5h.01M13 10h.01M13 15h.01',
  trash: 'M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6',
  download: 'M10 3v9m-4-4 4 4 4-4M4 16h12',
  external: 'M8 4H4v12h12v-4M11 4h5v5M16 4l-7 7',
  note: 'M4 4h12v9l-3 3H4zM7 8h6M7 11h4',
  person: 'M10 3.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM4 16.5c.6-3.3 3-5 6-5s5.4 1.7 6 5',
  list: 'M3 5h10M3 10h10M3 15h6M15 12v5M12.5 14.5h5',
  offline: 'M4 12.5a3 3 0 0 1 1-5.8A4.5 4.5 0 0 1 13.8 8 3.3 3.3 0 0 1 15 14M10 10v7m-3-3 3 3 3-3',
  free: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM6.8 10.3l2.2 2.2 4.2-4.8',
  credit: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM10 6.2a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM7.2 14c.2-2.2 1.3-3.2 2.8-3.2s2.6 1 2.8 3.2',
  noncommercial: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM5 5.2l10 9.6M12 8c-.3-.9-1-1.4-2-1.4M8 11.9c.3.9 1 1.5 2 1.5 1.100 0 2-.6 2-1.500',
  sharealike: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM7 10a3 3 0 1 1 1 2.300M7 10l-1.200-1.200M7 10l1.300-1',
};

export type IconName = keyof typeof PATHS;
const FILLED: readonly IconName[] = ['play', 'pause', 'next', 'previous', 'collected'];

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={FILLED.includes(name) ? 'icon-sign filled' : 'icon-sign'} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

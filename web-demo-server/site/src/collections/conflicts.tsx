// Conflicts of a change: the collection was changed elsewhere (409), or a license forbids commercial use (422).

import { useEffect, useState } from 'preact/hooks';
import type { Collection, Item, Track } from '../calls/types';
import { Dialog } from '../shell/dialog';
import { Icon } from '../shell/icons';
import { licenseSummary } from '../tracks/license';
import { t } from '../shell/later_texts';
import { Alternatives, commercialAlternatives } from './alternatives';
import { titleOf } from './item_row';

/** The person's version of a collection and the server's. */
export interface StaleConflict {
  mine: Collection;
  theirs: Collection;
  keepMine: () => void;
}

function Version({ title, of, other }: { title: string; of: Collection; other: Collection }) {
  const differs = (item: Item) => {
    const counterpart = other.items.find((candidate) => candidate.track_id === item.track_id);
    return !counterpart || counterpart.position !== item.position || (counterpart.note ?? '') !== (item.note ?? '') || JSON.stringify(counterpart.modifications) !== JSON.stringify(item.modifications);
  };
  return (
    <section class="version" aria-label={title}>
      <h3>{title}</h3>
      <p class={of.name === other.name ? undefined : 'differs'}><bdi>{of.name}</bdi>{of.commercial && ` · ${t('collection.commercial.yes')}`}</p>
      <ol>
        {of.items.map((item) => (
          <li key={item.track_id} class={differs(item) ? 'differs' : undefined}>
            <bdi>{titleOf(item)}</bdi>{item.note && <small><bdi>{item.note}</bdi></small>}
          </li>
        ))}
      </ol>
    </section>
  );
}

export const StaleDialog = ({ conflict, close: closed }: { conflict: StaleConflict; close: () => void }) => (
  <Dialog title={t('conflict.stale.title')} kind="dialog wide" closed={closed}>
    {(close) => (
      <>
        <p>{t('conflict.stale.why')}</p>
        <div class="versions">
          <Version title={t('conflict.stale.mine')} of={conflict.mine} other={conflict.theirs} />
          <Version title={t('conflict.stale.theirs')} of={conflict.theirs} other={conflict.mine} />
        </div>
        <div class="buttons">
          <button class="primary" type="button" onClick={() => { close(); conflict.keepMine(); }}>{t('conflict.stale.keepMine')}</button>
          <button type="button" onClick={close}>{t('conflict.stale.keepTheirs')}</button>
        </div>
      </>
    )}
  </Dialog>
);

function Offers({ item, replace }: { item: Item; replace: (track: Track) => void }) {
  const [offered, setOffered] = useState<readonly Track[] | null>(null);
  useEffect(() => {
    commercialAlternatives(item.track_id).then(setOffered, () => setOffered([]));
  }, [item.track_id]);
  return (
    <li>
      <strong><bdi>{titleOf(item)}</bdi></strong> <small>{licenseSummary(item.license_record)}</small>
      {offered && <Alternatives tracks={offered} use={replace} />}
    </li>
  );
}

/** Explains why the collection cannot be for commercial use, and offers alternatives. */
export function NonCommercialPanel({ items, replace, close }: { items: readonly Item[]; replace: (item: Item, track: Track) => void; close: () => void }) {
  return (
    <section class="conflict" role="alert">
      <div class="drawer-head">
        <h2>{t('conflict.nc.title')}</h2>
        <button class="icon" type="button" aria-label={t('dialog.close')} onClick={close}><Icon name="close" /></button>
      </div>
      <p>{t('conflict.nc.why')}</p>
      <h3>{t('conflict.nc.similar')}</h3>
      <ul class="plain">{items.map((item) => <Offers key={item.track_id} item={item} replace={(track) => replace(item, track)} />)}</ul>
    </section>
  );
}

// Drags an item by its handle with a mouse, pen or finger.

import { useRef, useState } from 'preact/hooks';

/** Returns the order of ids while one is dragged. Calls `done` with the new order when it is dropped. */
export function useReorder(ids: readonly string[], done: (ids: string[]) => void) {
  const [order, setOrder] = useState<string[] | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const live = useRef<string[]>([]);

  const grab = (id: string) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget as HTMLElement;
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    live.current = [...ids];
    setDragged(id);
    const onMove = (moved: PointerEvent) => {
      const over = document.elementFromPoint(handle.getBoundingClientRect().x + 80, moved.clientY)?.closest<HTMLElement>('[data-item]')?.dataset.item;
      if (!over || over === id) return;
      const next = live.current.filter((other) => other !== id);
      const index = live.current.indexOf(over);
      next.splice(index, 0, id);
      live.current = next;
      setOrder(next);
    };
    const onEnd = () => {
      handle.removeEventListener('pointermove', onMove);
      handle.removeEventListener('pointerup', onEnd);
      handle.removeEventListener('pointercancel', onEnd);
      setDragged(null);
      setOrder(null);
      if (live.current.some((other, index) => other !== ids[index])) done(live.current);
    };
    handle.addEventListener('pointermove', onMove);
    handle.addEventListener('pointerup', onEnd);
    handle.addEventListener('pointercancel', onEnd);
  };
  return { order: order ?? ids, dragged, grab };
}

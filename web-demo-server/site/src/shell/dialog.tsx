// A modal dialog with a heading and a button that closes it.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons';
import { t } from './texts';

interface Props {
  title: string;
  kind?: string;
  /** Called when the dialog has closed. The browser has then returned the focus to where it was. */
  closed: () => void;
  children: (close: () => void) => ComponentChildren;
}

export function Dialog({ title, kind = 'dialog', closed, children }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const close = () => box.current?.close();
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog class={kind} ref={box} aria-label={title} onClose={closed}>
      <div class="drawer-head">
        <h2>{title}</h2>
        <button class="icon" type="button" aria-label={t('dialog.close')} onClick={close}><Icon name="close" /></button>
      </div>
      {children(close)}
    </dialog>
  );
}

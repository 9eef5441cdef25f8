// The list of keyboard shortcuts.

import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../shell/icons';
import { t } from '../shell/later_texts';
import { keysShown } from './keys';

const KEYS = [
  ['/', 'keys.search'], ['␣', 'keys.play'], ['← →', 'keys.seek'], ['J', 'keys.next'], ['K', 'keys.previous'],
  ['L', 'keys.loop'], ['M', 'keys.mute'], ['?', 'keys.help'],
] as const;

export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby="keys-title" onClose={() => { keysShown.value = false; }}>
      <div class="drawer-head">
        <h2 id="keys-title">{t('foot.keys')}</h2>
        <button class="icon" type="button" aria-label={t('dialog.close')} onClick={() => dialog.current?.close()}><Icon name="close" /></button>
      </div>
      <dl class="keys">
        {KEYS.map(([key, text]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{t(text)}</dd></div>)}
      </dl>
    </dialog>
  );
}

// Asks once whether audio of other sites may be played: they learn the person's network address.

import { useEffect, useRef } from 'preact/hooks';
import { t } from '../shell/later_texts';
import { awaitingConsent, giveConsent } from './player';

export function ConsentDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const agree = () => {
    dialog.current?.close(); // returns the focus to the play button
    giveConsent();
  };
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby="consent-title" onClose={() => { awaitingConsent.value = null; }}>
      <h2 id="consent-title">{t('consent.title', { host: awaitingConsent.value?.host ?? '' })}</h2>
      <p>{t('consent.why')}</p>
      <div class="buttons">
        <button class="primary" type="button" onClick={agree}>{t('consent.yes')}</button>
        <button type="button" onClick={() => dialog.current?.close()}>{t('dialog.cancel')}</button>
      </div>
    </dialog>
  );
}

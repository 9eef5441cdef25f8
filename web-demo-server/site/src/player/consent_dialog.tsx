// Asks once whether audio of other sites may be played: they learn the person's network address.

import { Dialog } from '../shell/dialog';
import { t } from '../shell/later_texts';
import { awaitingConsent, giveConsent } from './player';

export const ConsentDialog = () => (
  <Dialog title={t('consent.title', { host: awaitingConsent.value?.host ?? '' })} closed={() => { awaitingConsent.value = null; }}>
    {(close) => (
      <>
        <p>{t('consent.why')}</p>
        <div class="buttons">
          <button class="primary" type="button" onClick={() => { close(); giveConsent(); }}>{t('consent.yes')}</button>
          <button type="button" onClick={close}>{t('dialog.cancel')}</button>
        </div>
      </>
    )}
  </Dialog>
);

// A secret that the server returns once: an API key or a recovery code. It is not stored in the page.

import { Icon } from '../shell/icons';
import { copy } from '../shell/notices';
import { t } from '../shell/later_texts';

interface Props {
  why: string;
  secret: string;
  copyLabel: string;
  seen: () => void;
}

export function ShownOnce({ why, secret, copyLabel, seen }: Props) {
  return (
    <div class="new-key" role="status">
      <p>{why}</p>
      <code>{secret}</code>
      <div class="buttons">
        <button class="primary" type="button" onClick={() => void copy(secret, t('copy.done'))}><Icon name="copy" /> {copyLabel}</button>
        <button type="button" onClick={seen}>{t('account.keys.seen')}</button>
      </div>
    </div>
  );
}

export const RecoveryCode = ({ code, seen }: { code: string; seen: () => void }) => (
  <ShownOnce why={t('recovery.once')} secret={code} copyLabel={t('recovery.copy')} seen={seen} />
);

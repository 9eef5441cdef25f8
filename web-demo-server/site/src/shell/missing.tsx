// The page for URLs that do not exist.

import { t } from './texts';

export function Missing({ text }: { text?: string }) {
  return (
    <div class="empty page">
      <h1>{t('error.missing')}</h1>
      <p>{text ?? t('error.missing.hint')}</p>
      <a class="button" href="/">{t('error.toSearch')}</a>
    </div>
  );
}

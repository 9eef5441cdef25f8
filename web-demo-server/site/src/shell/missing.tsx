// The page for URLs that do not exist.

import { useEffect } from 'preact/hooks';
import { setTitle } from './router';
import { t } from './texts';

export function Missing({ text }: { text?: string }) {
  useEffect(() => setTitle(t('error.missing')), []);
  return (
    <div class="empty page">
      <h1>{t('error.missing')}</h1>
      <p>{text ?? t('error.missing.hint')}</p>
      <a class="button" href="/">{t('error.toSearch')}</a>
    </div>
  );
}

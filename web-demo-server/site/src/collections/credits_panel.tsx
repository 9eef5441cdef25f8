// The credits of a collection in every format, to copy or to download.

import { useEffect, useState } from 'preact/hooks';
import { callText } from '../calls/server';
import type { Collection } from '../calls/types';
import { Icon } from '../shell/icons';
import { copy, explain, notifyError } from '../shell/notices';
import { t } from '../shell/texts';

const FORMATS = ['text', 'markdown', 'html', 'youtube', 'csv', 'json', 'reuse', 'attributions'] as const;
type Format = (typeof FORMATS)[number];

const load = (id: string, format: Format) => callText(`collections/${encodeURIComponent(id)}/credits?format=${format}`);

async function download(id: string, format: Format) {
  try {
    const { text, file } = await load(id, format);
    const url = URL.createObjectURL(new Blob([text]));
    const link = document.createElement('a');
    link.href = url;
    link.download = file ?? `credits-${id}.json`;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (error) {
    notifyError(error);
  }
}

export function CreditsPanel({ collection }: { collection: Collection }) {
  const [format, setFormat] = useState<Format>('text');
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let wanted = true;
    load(collection.id, format).then((loaded) => wanted && (setText(loaded.text), setError(null)), (failure) => wanted && setError(failure));
    return () => { wanted = false; };
  }, [collection.id, collection.revision, format]);
  return (
    <section class="panel" aria-labelledby="credits-title">
      <h2 id="credits-title">{t('collection.credits')}</h2>
      {collection.credits && <p class="small">{t('collection.credits.counts', { ...collection.credits })}</p>}
      <label class="picker"><span>{t('collection.credits.format')}</span>
        <select value={format} onChange={(event) => setFormat(event.currentTarget.value as Format)}>
          {FORMATS.map((name) => <option key={name} value={name}>{t(`collection.format.${name}`)}</option>)}
        </select></label>
      {error !== null && <p class="fault" role="alert">{explain(error)}</p>}
      <textarea class="credits-text" readOnly rows={8} value={text} aria-label={t('collection.credits')} />
      <div class="buttons">
        <button type="button" onClick={() => void copy(text, t('copy.done'))}><Icon name="copy" /> {t('collection.credits.copy')}</button>
        <button type="button" onClick={() => void download(collection.id, format)}><Icon name="download" /> {t('collection.credits.download')}</button>
      </div>
    </section>
  );
}

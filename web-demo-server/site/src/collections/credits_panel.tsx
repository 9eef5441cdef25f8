// The credits of a collection in every format, to copy or to download.

import { useEffect, useState } from 'preact/hooks';
import { callText } from '../calls/server';
import type { Collection } from '../calls/types';
import { saveFile } from '../shell/files';
import { Icon } from '../shell/icons';
import { t } from '../shell/later_texts';
import { copy, explain } from '../shell/notices';
import { fileNameOf } from '../shell/texts';

const FORMATS = ['text', 'markdown', 'html', 'youtube', 'csv', 'json', 'reuse', 'attributions'] as const;
type Format = (typeof FORMATS)[number];

/** The credits in a format. `ending`: that of the file in which the API sends them. */
interface Credits {
  format: Format;
  text: string;
  ending: string;
}

async function load(id: string, format: Format): Promise<Credits> {
  const { text, file } = await callText(`collections/${encodeURIComponent(id)}/credits?format=${format}`);
  return { format, text, ending: file?.split('.').pop() ?? 'json' };
}

/** Saves credits in a file with the name of the collection (WEB-42). */
const download = (name: string, { text, ending }: Credits) => saveFile(`${fileNameOf(name)}-credits.${ending}`, [text]);

export function CreditsPanel({ collection }: { collection: Collection }) {
  const [format, setFormat] = useState<Format>('text');
  const [credits, setCredits] = useState<Credits>({ format: 'text', text: '', ending: 'txt' });
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let wanted = true;
    load(collection.id, format).then((loaded) => wanted && (setCredits(loaded), setError(null)), (failure) => wanted && setError(failure));
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
      <textarea class="credits-text" readOnly rows={8} value={credits.text} data-format={credits.format} aria-label={t('collection.credits')} />
      <div class="buttons">
        <button type="button" onClick={() => void copy(credits.text, t('copy.done'))}><Icon name="copy" /> {t('collection.credits.copy')}</button>
        <button type="button" onClick={() => download(collection.name, credits)}><Icon name="download" /> {t('collection.credits.download')}</button>
      </div>
    </section>
  );
}

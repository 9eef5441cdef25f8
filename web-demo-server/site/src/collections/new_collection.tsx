// A form that creates a collection.

import { useState } from 'preact/hooks';
import { useSubmission } from '../account/submission';
import type { Collection } from '../calls/types';
import { t } from '../shell/later_texts';
import '../style/people.css';
import { explain } from '../shell/notices';
import { createCollection } from './store';

export function NewCollection({ made }: { made: (collection: Collection) => void }) {
  const [name, setName] = useState('');
  const [commercial, setCommercial] = useState(false);
  const { error, busy, submit } = useSubmission(async () => {
    made(await createCollection(name, commercial));
    setName('');
  });
  return (
    <form class="new-collection" onSubmit={submit}>
      <h3>{t('collection.new')}</h3>
      <div class="line">
        <label class="field"><span>{t('collection.name')}</span>
          <input type="text" required maxLength={80} value={name} onInput={(event) => setName(event.currentTarget.value)} /></label>
        <button class="primary" type="submit" disabled={busy}>{t('collection.create')}</button>
      </div>
      <label class="facet-value"><input type="checkbox" checked={commercial} onChange={(event) => setCommercial(event.currentTarget.checked)} />
        <span class="facet-label">{t('collection.commercial')}</span></label>
      {error !== null && <p class="fault" role="alert">{explain(error)}</p>}
    </form>
  );
}

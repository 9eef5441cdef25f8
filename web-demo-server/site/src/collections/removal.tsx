// Removing a track deletes its license record (ITEM-2, WEB-23). The person must confirm if adding the track again would not
// create the same record.

import type { Item } from '../calls/types';
import { Dialog } from '../shell/dialog';
import { t } from '../shell/later_texts';
import { dateOf } from '../shell/texts';
import { licenseSummary } from '../tracks/license';
import { titleOf } from './item_row';

export const losesLicenseRecord = (item: Item) => item.track === null || item.license_changed;

interface Props {
  item: Item;
  remove: () => void;
  close: () => void;
}

export function RemovalDialog({ item, remove, close: closed }: Props) {
  const record = item.license_record;
  const values = { date: dateOf(record.recorded), words: `${licenseSummary(record)} (${record.license.name})` };
  return (
    <Dialog title={t('removal.title', { title: titleOf(item).slice(0, 80) })} closed={closed}>
      {(close) => (
        <>
          <p>{t('removal.record', values)}</p>
          <p>{t(item.track === null ? 'removal.gone' : 'removal.changed')}</p>
          <div class="buttons">
            <button class="danger" type="button" onClick={() => { close(); remove(); }}>{t('removal.yes')}</button>
            <button type="button" onClick={close}>{t('dialog.cancel')}</button>
          </div>
        </>
      )}
    </Dialog>
  );
}

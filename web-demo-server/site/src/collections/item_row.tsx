// An item of a collection: its track, note, modifications, license record, and drag handle.

import { useState } from 'preact/hooks';
import type { Item, Track } from '../calls/types';
import { Icon } from '../shell/icons';
import { t } from '../shell/later_texts';
import { dateOf, lengthOf, valueLabel } from '../shell/texts';
import { CopyCredit, LicenseBadge, LicenseSentence } from '../tracks/parts';
import { ArtistLink, PlayButton } from '../tracks/row';
import { licenseSummary } from '../tracks/license';
import type { ItemChange } from './store';

export const CHIPS = ['trimmed', 'loudness adjusted', 'looped', 'edited'];
export const titleOf = (item: Item) => item.track?.title || item.license_record.title || t('track.untitled');

function Modifications({ item, change, disabled }: { item: Item; change: (change: ItemChange) => void; disabled: boolean }) {
  const { chips = [], text = '' } = item.modifications ?? {};
  const set = (next: { chips: string[]; text: string }) =>
    change({ modifications: next.chips.length === 0 && !next.text ? null : next });
  const toggle = (chip: string) => set({ chips: chips.includes(chip) ? chips.filter((other) => other !== chip) : [...chips, chip], text });
  return (
    <fieldset class="edits" disabled={disabled}>
      <legend>{t('collection.edits')}</legend>
      {CHIPS.map((chip) => (
        <button class="chip" type="button" key={chip} aria-pressed={chips.includes(chip)} onClick={() => toggle(chip)}>{valueLabel('collection.chip', chip)}</button>
      ))}
      <label class="field"><span class="unseen">{t('collection.edits.text')}</span>
        <input type="text" maxLength={200} placeholder={t('collection.edits.text')} value={text}
          onChange={(event) => set({ chips, text: event.currentTarget.value.trim() })} /></label>
    </fieldset>
  );
}

function LicenseRecord({ item }: { item: Item }) {
  const record = item.license_record;
  return (
    <details class="record">
      <summary>{t('collection.record')}{item.license_changed && <span class="sign warn">{t('collection.record.changed')}</span>}</summary>
      <p class="small">{t('collection.record.taken', { date: dateOf(record.recorded), version: record.catalog_version })}</p>
      <LicenseSentence of={record} />
      <p class="credit-line"><bdi>{record.credit_line}</bdi></p>
      {!item.track && <p>{t('collection.record.gone')}</p>}
      {item.track && !item.license_changed && <p class="small">{t('collection.record.same')}</p>}
      {item.track && item.license_changed && <p>{t('collection.record.now')} {licenseSummary(item.track)} ({item.track.license.name})</p>}
    </details>
  );
}

interface RowProps {
  item: Item;
  count: number;
  list: readonly Track[];
  readOnly: boolean;
  dragged: boolean;
  grab: (event: PointerEvent) => void;
  move: (by: number) => void;
  change: (change: ItemChange) => void;
  remove: () => void;
}

function Handle({ item, count, grab, move, readOnly }: Pick<RowProps, 'item' | 'count' | 'grab' | 'move' | 'readOnly'>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(by);
  };
  return (
    <button class="icon handle" type="button" disabled={readOnly} data-handle={item.track_id} onPointerDown={grab} onKeyDown={onKeyDown}
      aria-label={t('collection.move', { title: titleOf(item).slice(0, 80), place: item.position + 1, of: count })}><Icon name="drag" /></button>
  );
}

function Note({ item, change, readOnly }: Pick<RowProps, 'item' | 'change' | 'readOnly'>) {
  const [text, setText] = useState(item.note ?? '');
  return (
    <label class="field"><span>{t('collection.note')}</span>
      <textarea rows={1} maxLength={500} placeholder={t('collection.note.hint')} value={text} readOnly={readOnly}
        onInput={(event) => setText(event.currentTarget.value)} onChange={({ currentTarget: { value } }) => value !== (item.note ?? '') && change({ note: value })} /></label>
  );
}

export function ItemRow(props: RowProps) {
  const { item, list, readOnly, dragged, change, remove } = props;
  const { track } = item;
  return (
    <li class="item" data-item={item.track_id} data-dragged={dragged || undefined}>
      <Handle {...props} />
      {track ? <PlayButton track={track} list={list} /> : <span class="play-button" aria-hidden="true" />}
      <div class="row-what">
        <h3>{track ? <a href={`/tracks/${encodeURIComponent(item.track_id)}`}><bdi>{titleOf(item)}</bdi></a> : <bdi>{titleOf(item)}</bdi>}</h3>
        <p><ArtistLink name={item.license_record.artist} />{track && <span class="facts">{lengthOf(track.duration_s)}</span>}</p>
      </div>
      <LicenseBadge of={track ?? item.license_record} />
      <div class="row-actions">
        <CopyCredit of={item.license_record} compact />
        <button class="icon" type="button" disabled={readOnly} aria-label={t('collection.remove', { title: titleOf(item).slice(0, 80) })} onClick={remove}><Icon name="trash" /></button>
      </div>
      <div class="item-more">
        <details class="item-edit" open={Boolean(item.note || item.modifications)}>
          <summary>{t('collection.noteAndEdits')}</summary>
          <div>
            <Note key={`${item.track_id}${item.note ?? ''}`} item={item} change={change} readOnly={readOnly} />
            <Modifications item={item} change={change} disabled={readOnly} />
          </div>
        </details>
        <LicenseRecord item={item} />
      </div>
    </li>
  );
}

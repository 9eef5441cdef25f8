// A collection: its tracks in order, its settings, its credits.

import { useEffect, useState } from 'preact/hooks';
import { call, CallError } from '../calls/server';
import { session } from '../calls/session';
import type { Collection, Item, SearchAnswer, Track } from '../calls/types';
import { visibleTracks } from '../player/keys';
import { t } from '../shell/later_texts';
import { Missing } from '../shell/missing';
import { explain, notify, notifyError } from '../shell/notices';
import { documentTitle } from '../shell/routes';
import { navigate } from '../shell/router';
import { shortLine } from '../shell/texts';
import { Rows, Waiting } from '../search/list';
import '../style/people.css';
import { NonCommercialPanel, StaleDialog } from './conflicts';
import type { StaleConflict } from './conflicts';
import { CreditsPanel } from './credits_panel';
import { ItemRow, titleOf } from './item_row';
import { SignInFirst } from './list_view';
import { losesLicenseRecord, RemovalDialog } from './removal';
import { useReorder } from './reorder';
import { SharePanel } from './share_panel';
import {
  addTracks, changeCollection, changeItem, deleteCollection, isNonCommercial, isStale, loadCollection, orderItems, removeItem, restoreItem,
} from './store';
import type { ItemChange } from './store';

/** A change: its optimistic preview, and the request that applies it to a version of the collection. */
interface Edit {
  preview: (now: Collection) => Collection;
  send: (now: Collection) => Promise<Collection>;
}

function useCollection(id: string) {
  const [collection, setCollection] = useState<Collection | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [stale, setStale] = useState<StaleConflict | null>(null);
  const [nonCommercial, setNonCommercial] = useState(false);
  const reload = () => loadCollection(id).then(setCollection, setError);
  useEffect(() => { void reload(); }, [id]);

  const edit = async (change: Edit, on: Collection | null = collection): Promise<Collection | null> => {
    if (!on) return null;
    setCollection(change.preview(on));
    try {
      const changed = await change.send(on);
      setCollection({ ...changed, ...(on.credits ? { credits: on.credits } : {}) });
      void loadCollection(id).then((whole) => setCollection((now) => (now && now.revision <= whole.revision ? whole : now)), () => undefined);
      return changed;
    } catch (failure) {
      if (isStale(failure)) {
        const theirs = await loadCollection(id);
        setCollection(theirs);
        setStale({ mine: change.preview(on), theirs, keepMine: () => void edit(change, theirs) });
      } else {
        setCollection(on);
        if (failure instanceof CallError && failure.code === 'nc_commercial') setNonCommercial(true);
        else notifyError(failure);
      }
      return null;
    }
  };
  return { collection, error, stale, nonCommercial, edit, closeStale: () => setStale(null), setNonCommercial };
}

type Editing = ReturnType<typeof useCollection>;

const numbered = (items: readonly Item[]) => items.map((item, position) => ({ ...item, position }));

const reordered = (ids: readonly string[]): Edit => {
  // Tracks that only the other version has keep their order at the end.
  const sorted = (items: readonly Item[]) => {
    const rank = (item: Item) => (ids.includes(item.track_id) ? ids.indexOf(item.track_id) : ids.length + item.position);
    return numbered([...items].sort((a, b) => rank(a) - rank(b)));
  };
  return {
    preview: (now) => ({ ...now, items: sorted(now.items) }),
    send: (now) => orderItems(now, sorted(now.items).map((item) => item.track_id)),
  };
};

const itemChanged = (track: string, body: ItemChange): Edit => ({
  preview: (now) => ({ ...now, items: now.items.map((item) => (item.track_id === track ? { ...item, ...body } : item)) }),
  send: (now) => changeItem(now, track, body),
});

const itemRemoved = (track: string): Edit => ({
  preview: (now) => ({ ...now, items: numbered(now.items.filter((item) => item.track_id !== track)) }),
  send: (now) => removeItem(now, track),
});

const collectionChanged = (body: { name?: string; commercial?: boolean }): Edit => ({
  preview: (now) => ({ ...now, ...body }),
  send: (now) => changeCollection(now, body),
});

function Items({ collection, edit }: { collection: Collection; edit: Editing['edit'] }) {
  const ids = collection.items.map((item) => item.track_id);
  const { order, dragged, grab } = useReorder(ids, (next) => void edit(reordered(next)));
  const list = collection.items.flatMap((item) => (item.track ? [item.track] : []));
  const [announcement, setAnnouncement] = useState('');
  const [toRemove, setToRemove] = useState<Item | null>(null);
  const remove = async (item: Item) => {
    const after = await edit(itemRemoved(item.track_id));
    if (!after) return;
    const title = titleOf(item).slice(0, 60);
    if (!item.track) return notify(t('collection.removed', { title }));
    const restore = async () => {
      if (await edit({ preview: (now) => now, send: (now) => restoreItem(now, item) }, after)) notify(t('collection.restored', { title }), { ms: 8000 });
    };
    notify(t('collection.removed', { title }), { action: { label: t('collection.undo'), run: () => void restore() } });
  };
  const move = (item: Item, by: number) => {
    const position = item.position + by;
    if (position < 0 || position >= ids.length) return;
    const next = ids.filter((id) => id !== item.track_id);
    next.splice(position, 0, item.track_id);
    setAnnouncement(t('collection.moved', { title: titleOf(item).slice(0, 80), place: position + 1, of: ids.length }));
    void edit(reordered(next)).then(() => document.querySelector<HTMLElement>(`[data-handle="${CSS.escape(item.track_id)}"]`)?.focus());
  };
  return (
    <>
      <p class="unseen" role="status">{announcement}</p>
      <ol class="items">
        {order.flatMap((id) => collection.items.filter((item) => item.track_id === id)).map((item) => (
          <ItemRow key={item.track_id} item={item} count={ids.length} list={list} readOnly={collection.read_only} dragged={dragged === item.track_id}
            grab={grab(item.track_id)} move={(by) => move(item, by)} change={(body) => void edit(itemChanged(item.track_id, body))}
            remove={() => (losesLicenseRecord(item) ? setToRemove(item) : void remove(item))} />
        ))}
      </ol>
      {toRemove && <RemovalDialog item={toRemove} remove={() => void remove(toRemove)} close={() => setToRemove(null)} />}
    </>
  );
}

function Head({ collection, edit }: { collection: Collection; edit: Editing['edit'] }) {
  const locked = collection.read_only;
  return (
    <header class="collection-head">
      <h1 class="unseen"><bdi>{collection.name}</bdi></h1>
      <label class="field title-field"><span class="unseen">{t('collection.rename')}</span>
        <input type="text" maxLength={80} required value={collection.name} readOnly={locked}
          onChange={(event) => {
            const name = event.currentTarget.value.trim();
            if (name && name !== collection.name) void edit(collectionChanged({ name }));
            else event.currentTarget.value = collection.name;
          }} /></label>
      <p class="lead">{t('collection.tracks', { count: collection.items.length })}</p>
      <label class="switch"><input type="checkbox" role="switch" checked={collection.commercial} disabled={locked}
        onChange={(event) => {
          const commercial = event.currentTarget.checked;
          event.currentTarget.checked = collection.commercial; // until the server confirms
          void edit(collectionChanged({ commercial }));
        }} /> <span>{t('collection.commercial')}</span></label>
    </header>
  );
}

function Deletion({ collection }: { collection: Collection }) {
  const [sure, setSure] = useState(false);
  const remove = () =>
    deleteCollection(collection.id).then(() => {
      notify(t('collection.deleted', { name: collection.name }));
      navigate('/collections', { replace: true });
    }, notifyError);
  if (!sure) return <button class="danger" type="button" onClick={() => setSure(true)}>{t('collection.delete')}</button>;
  return (
    <div class="sure" role="group" aria-label={t('collection.delete')}>
      <p>{t('collection.delete.sure', { name: collection.name })}</p>
      <div class="buttons">
        <button class="danger" type="button" onClick={() => void remove()}>{t('collection.delete.yes')}</button>
        <button type="button" onClick={() => setSure(false)}>{t('dialog.cancel')}</button>
      </div>
    </div>
  );
}

function Similar({ collection }: { collection: Collection }) {
  const [tracks, setTracks] = useState<readonly Track[]>([]);
  useEffect(() => {
    if (collection.items.length === 0) return;
    call<SearchAnswer>(`collections/${collection.id}/similar?limit=6`).then((answer) => setTracks(answer.tracks), () => setTracks([]));
  }, [collection.revision]);
  if (tracks.length === 0) return null;
  return <section class="similar"><h2>{t('collection.similar')}</h2><Rows tracks={tracks} label={t('collection.similar')} /></section>;
}

function LoadedCollection({ collection, editing }: { collection: Collection; editing: Editing }) {
  const { edit, stale, nonCommercial, closeStale, setNonCommercial } = editing;
  const conflicting = collection.items.filter(isNonCommercial);
  const replace = async (item: Item, track: Track) => {
    const done = await edit({
      preview: (now) => now,
      send: async (now) => {
        const { collection: added } = await addTracks(now.id, [track.id]);
        const moved = await changeItem(added, track.id, { position: item.position });
        return removeItem(moved, item.track_id);
      },
    });
    if (done) notify(t('conflict.nc.replaced', { title: titleOf(item).slice(0, 60) }));
  };
  return (
    <div class="page collection-page">
      <Head collection={collection} edit={edit} />
      {collection.read_only && <p class="banner">{t('collection.readOnly.why')} <a href="/account">{t('collection.readOnly.plan')}</a></p>}
      {nonCommercial && conflicting.length > 0 && <NonCommercialPanel items={conflicting} replace={(item, track) => void replace(item, track)} close={() => setNonCommercial(false)} />}
      {collection.items.length === 0
        ? <div class="empty"><h2>{t('collection.empty')}</h2><p>{t('collection.empty.hint')}</p><a class="button" href="/">{t('error.toSearch')}</a></div>
        : <><h2 class="unseen">{t('search.results')}</h2><Items collection={collection} edit={edit} /><CreditsPanel collection={collection} /><SharePanel collection={collection} /></>}
      <Similar collection={collection} />
      <Deletion collection={collection} />
      {stale && <StaleDialog conflict={stale} close={closeStale} />}
    </div>
  );
}

export function CollectionView({ parts }: { parts: string[] }) {
  const now = session.value;
  if (!now) return <div class="page"><Waiting rows={3} /></div>;
  return now.signed_in ? <CollectionLoader id={parts[1] ?? ''} /> : <SignInFirst />;
}

function CollectionLoader({ id }: { id: string }) {
  const editing = useCollection(id);
  const { collection, error } = editing;
  useEffect(() => {
    if (!collection) return;
    document.title = documentTitle(shortLine(collection.name, 80));
    visibleTracks.value = collection.items.flatMap((item) => (item.track ? [item.track] : []));
  }, [collection]);
  if (error) return <Missing text={explain(error)} />;
  if (!collection) return <div class="page"><Waiting rows={3} /></div>;
  return <LoadedCollection collection={collection} editing={editing} />;
}

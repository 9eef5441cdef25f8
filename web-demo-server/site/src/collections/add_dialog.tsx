// Adds tracks to a collection, which can be a new one. If a license does not fit, offers similar tracks that do.

import { useEffect, useState } from 'preact/hooks';
import { SignForm } from '../account/sign_form';
import { CallError } from '../calls/server';
import { session } from '../calls/session';
import type { CollectionSummary, Track } from '../calls/types';
import { Dialog } from '../shell/dialog';
import { t } from '../shell/later_texts';
import { explain, notify } from '../shell/notices';
import { Alternatives, commercialAlternatives } from './alternatives';
import { selectedTracks, tracksToAdd } from './selection';
import { NewCollection } from './new_collection';
import { addTracks, loadSummaries, summaries } from './store';

interface Refused {
  collection: CollectionSummary;
  offered: readonly Track[];
}

function notifyAdded(name: string, added: number, asked: number) {
  if (added === 0) notify(t('collection.already', { name }));
  else notify(asked === 1 ? t('collection.added', { name }) : t('collection.added.some', { count: added, name }));
}

function Offers({ refused, use }: { refused: Refused; use: (track: Track) => void }) {
  return (
    <div class="conflict" role="alert">
      <h3>{t('conflict.nc.title')}</h3>
      <p>{t('conflict.nc.adding', { name: refused.collection.name })}</p>
      <Alternatives tracks={refused.offered} use={use} />
    </div>
  );
}

function Choices({ pick, busy }: { pick: (collection: CollectionSummary) => void; busy: boolean }) {
  const list = summaries.value;
  if (!list) return <p role="status">{t('search.loading')}</p>;
  return (
    <ul class="choices">
      {list.map((collection) => (
        <li key={collection.id}>
          <button type="button" disabled={busy || collection.read_only} onClick={() => pick(collection)}>
            <span><bdi>{collection.name}</bdi></span>
            <small>
              {collection.read_only ? t('collection.readOnly') : t('collection.tracks', { count: collection.track_count })}
              {collection.commercial && ` · ${t('collection.commercial.yes')}`}
            </small>
          </button>
        </li>
      ))}
    </ul>
  );
}

function useAdding(close: () => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const add = async (collection: CollectionSummary, tracks: readonly Track[]) => {
    setBusy(true);
    setError(null);
    try {
      const { added } = await addTracks(collection.id, tracks.map((track) => track.id));
      notifyAdded(collection.name, added, tracks.length);
      selectedTracks.value = [];
      close();
    } catch (failure) {
      const conflicting = tracks.find((track) => !track.terms.commercial) ?? tracks[0];
      if (failure instanceof CallError && failure.code === 'nc_commercial' && conflicting) {
        setRefused({ collection, offered: await commercialAlternatives(conflicting.id).catch(() => []) });
      } else {
        setError(failure);
      }
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, refused, add };
}

/** Signs in within the dialog, which then continues with the same tracks. */
function SignFirst() {
  const [isUp, setUp] = useState(false);
  return (
    <div class="stack">
      <p>{t('collection.signIn')}</p>
      <SignForm key={String(isUp)} isUp={isUp} done={() => undefined} />
      <button class="link" type="button" onClick={() => setUp(!isUp)}>{t(isUp ? 'sign.toIn' : 'sign.toUp')}</button>
    </div>
  );
}

function Picking({ tracks, close }: { tracks: readonly Track[]; close: () => void }) {
  const { busy, error, refused, add } = useAdding(close);
  useEffect(() => { loadSummaries().catch(() => undefined); }, []);
  return (
    <>
      <Choices pick={(collection) => void add(collection, tracks)} busy={busy} />
      {error !== null && <p class="fault" role="alert">{explain(error)}</p>}
      {refused && <Offers refused={refused} use={(track) => void add(refused.collection, [...tracks.filter((other) => other.terms.commercial), track])} />}
      <NewCollection made={(collection) => void add(collection, tracks)} />
    </>
  );
}

export function AddDialog() {
  const tracks = tracksToAdd.value ?? [];
  return (
    <Dialog title={t('collection.pick', { count: tracks.length })} closed={() => { tracksToAdd.value = null; }}>
      {(close) => (session.value?.signed_in ? <Picking tracks={tracks} close={close} /> : <SignFirst />)}
    </Dialog>
  );
}

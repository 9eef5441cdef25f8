// The search page: filters, chips, sort order, results, and messages if there are none.

import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../shell/dialog';
import { Icon } from '../shell/icons';
import { explain } from '../shell/notices';
import { address, navigate, restoreScroll, historyState } from '../shell/router';
import { oneLine, shortLine, t } from '../shell/texts';
import type { Suggestion, Track } from '../calls/types';
import { CreditFormatPicker } from '../tracks/parts';
import { Facets } from './facets';
import { labelOf } from './labels';
import { More, Rows, Waiting } from './list';
import { OfflineSwitch } from './offline_switch';
import { StartPage } from './start';
import { withChanges, chipsOf, hrefOf, isStart, kindOf, searchOf, sortOf, withToggled, withoutFilters } from './query';
import { failure, runSearch, loadingMore, loadMore, searching, shown, showKnown, stuck, type Shown } from './results';

const change = (query: URLSearchParams) => navigate(hrefOf(query, address.value));

function Chips({ query }: { query: URLSearchParams }) {
  const chips = chipsOf(query);
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={t('filter.active')}>
      {chips.map(({ name, value }) => (
        <li key={`${name}=${value}`}>
          <button type="button" onClick={() => change(withToggled(query, name, value))} aria-label={t('filter.remove', { value: labelOf(name, value) })}>
            <bdi>{labelOf(name, value)}</bdi> <Icon name="close" />
          </button>
        </li>
      ))}
      {chips.length > 1 && <li><button class="link" type="button" onClick={() => change(withoutFilters(query))}>{t('filter.clear')}</button></li>}
    </ul>
  );
}

const SORTS = ['relevance', 'shuffle', 'newest', 'quality', 'short', 'long', 'slow', 'fast'] as const;

function Sorts({ query }: { query: URLSearchParams }) {
  const sort = sortOf(query);
  const offered = SORTS.filter((name) => name !== 'relevance' || query.get('q')?.trim());
  const usual = query.get('q')?.trim() ? 'relevance' : 'shuffle';
  const again = () => change(withChanges(query, { seed: Math.random().toString(36).slice(2, 10) }));
  return (
    <div class="sorts">
      {sort === 'shuffle' && <button class="quiet" type="button" aria-label={t('sort.again')} title={t('sort.again')} onClick={again}><Icon name="shuffle" /><span class="button-text">{t('sort.again')}</span></button>}
      <label class="picker">
        <span>{t('sort.label')}</span>
        <select value={sort} onChange={(event) => change(withChanges(query, { sort: event.currentTarget.value === usual ? null : event.currentTarget.value }))}>
          {offered.map((name) => <option key={name} value={name}>{t(`sort.${name}`)}</option>)}
        </select>
      </label>
    </div>
  );
}

type Group = 'all' | 'some' | 'related';

/** How many tracks have all words, some, or only related ones, most words first. Empty without words. */
function groupTotals({ words, matched }: Shown): ReadonlyMap<Group, number> {
  const totals = new Map<Group, number>();
  for (const tier of matched) {
    const group = tier.words === words ? 'all' : tier.words > 0 ? 'some' : 'related';
    totals.set(group, (totals.get(group) ?? 0) + tier.total);
  }
  return totals;
}

/** The one headline of the results. */
function headlineOf(now: Shown): string {
  const totals = groupTotals(now);
  if (now.total === 0 || now.words === 0 || totals.size === 0 || totals.has('all')) return t('search.total', { count: now.total });
  const some = totals.get('some');
  return some ? t('search.none', { count: some }) : t('search.noneRelated', { count: now.total });
}

function Total() {
  const now = shown.value;
  if (!now) return <p class="total" role="status">{t(failure.value ? 'error.search' : 'search.loading')}</p>;
  return (
    <p class="total" role="status" data-total={now.total} data-words={oneLine(now.query.get('q') ?? '').trim()}>
      <strong>{headlineOf(now)}</strong>
      {searching.value && <span class="unseen">{t('search.loading')}</span>}
    </p>
  );
}

/** Says that the results are those of other words, and offers the typed ones. */
function Meant({ query }: { query: URLSearchParams }) {
  const meant = shown.value?.meant;
  if (!meant) return null;
  const exact = new URL(address.value);
  exact.searchParams.set('exact', '1');
  return (
    <p class="meant">
      {t('search.showing')} <strong><bdi>{meant}</bdi></strong>. <a href={`${exact.pathname}${exact.search}`}>{t('search.instead', { words: shortLine(query.get('q') ?? '', 60) })}</a>
    </p>
  );
}

function Suggestions({ suggestions }: { suggestions: readonly Suggestion[] }) {
  const offered = suggestions.filter(({ parameters }) => parameters.match !== 'most');
  if (offered.length === 0) return null;
  return (
    <div class="suggestions">
      <h2>{t('search.suggestions')}</h2>
      <div class="buttons">
        {offered.map(({ message, parameters, total }) => (
          <button type="button" key={message} onClick={() => change(new URLSearchParams(parameters))}>
            <bdi>{parameters.q ? shortLine(message) : t('search.suggestions.all', { count: total })}</bdi>
          </button>
        ))}
      </div>
    </div>
  );
}

function Nothing({ query }: { query: URLSearchParams }) {
  return (
    <div class="empty">
      <h2>{t('search.nothing')}</h2>
      <p>{t(chipsOf(query).length > 0 ? 'search.nothing.filters' : 'search.nothing.words')}</p>
    </div>
  );
}

/** What few people need: how credits are copied, and search without the server. */
function ToolMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute('open');
  useEffect(() => {
    const leave = (event: Event) => { if (!menu.current?.contains(event.target as Node)) close(); };
    const kinds = ['pointerdown', 'focusin'] as const;
    for (const kind of kinds) document.addEventListener(kind, leave);
    return () => { for (const kind of kinds) document.removeEventListener(kind, leave); };
  }, []);
  return (
    <details class="menu" ref={menu} onChange={close} onKeyDown={(event) => event.key === 'Escape' && close()}>
      <summary aria-label={t('tools.label')} title={t('tools.label')}><Icon name="menu" /></summary>
      <div class="menu-box"><CreditFormatPicker /><OfflineSwitch /></div>
    </details>
  );
}

function Failure({ retry }: { retry: () => void }) {
  return (
    <div class="empty" role="alert">
      <h2>{t('error.search')}</h2>
      <p>{explain(failure.value)}</p>
      <button type="button" onClick={retry}>{t('error.retry')}</button>
    </div>
  );
}

/** Splits the tracks into their groups. The headline of the results is also that of the first group. */
function groupsOf(now: Shown): { name: Group; tracks: readonly Track[]; heading: string | null }[] {
  const { tracks } = now;
  const totals = new Map(groupTotals(now));
  if (totals.size === 0) totals.set('all', tracks.length);
  const [first] = totals.keys();
  let begin = 0;
  return [...totals].flatMap(([name, total]) => {
    const own = tracks.slice(begin, begin + total);
    begin += total;
    if (own.length === 0) return [];
    return [{ name, tracks: own, heading: name === first || name === 'all' ? null : t(`search.${name}`, { count: total }) }];
  });
}

function Results({ query }: { query: URLSearchParams }) {
  const now = shown.value;
  if (failure.value) return <Failure retry={() => void runSearch(query)} />;
  if (!now) return <Waiting />;
  return (
    <>
      {now.total === 0 && <Nothing query={query} />}
      {groupsOf(now).map(({ name, tracks, heading }) => (
        <Fragment key={name}>
          <h2 class={heading === null ? 'unseen' : 'match-group'}>{heading ?? t('search.results')}</h2>
          <Rows tracks={tracks} label={heading ?? t('search.results')} queue={now.tracks} />
        </Fragment>
      ))}
      {now.next && <More load={() => void loadMore()} loading={loadingMore.value || searching.value} failed={stuck.value === now} />}
      <Suggestions suggestions={now.suggestions} />
    </>
  );
}

function FilterDrawer({ query }: { query: URLSearchParams }) {
  const [open, setOpen] = useState(false);
  const active = chipsOf(query).length;
  return (
    <>
      <button class="quiet narrow-only" type="button" onClick={() => setOpen(true)}>
        <Icon name="filter" />{active > 0 ? t('filter.some', { count: active }) : t('filter.title')}
      </button>
      {open && (
        <Dialog title={t('filter.title')} kind="drawer" closed={() => setOpen(false)}>
          {(close) => (
            <>
              <Facets query={query} change={change} />
              <button class="primary" type="button" onClick={close}>{t('filter.show', { count: shown.value?.total ?? 0 })}</button>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}

export function SearchView() {
  const query = searchOf(address.value);
  const text = query.toString();
  useLayoutEffect(() => {
    const returning = historyState().y !== undefined;
    const quick = showKnown(query) && (historyState().shown ?? 0) === 0;
    void runSearch(query);
    if (returning && quick) restoreScroll();
  }, [text, address.value.searchParams.has('exact')]);
  const start = isStart(address.value);
  return (
    <>
      {start && <StartPage kind={kindOf(query)} />}
      <div class="search-page">
        <section class="found" id="results" tabIndex={-1} aria-label={t('search.results')}>
          {start ? <h2>{t(`start.all.${kindOf(query)}`)}</h2> : <h1 class="unseen">{t('search.label')}</h1>}
          <Meant query={query} />
          <div class="toolbar">
            <Total />
            <div class="tools">
              <FilterDrawer query={query} />
              <Sorts query={query} />
              <ToolMenu />
            </div>
          </div>
          <Chips query={query} />
          <Results query={query} />
        </section>
        <aside class="side wide-only" aria-label={t('filter.title')}><Facets query={query} change={change} /></aside>
      </div>
    </>
  );
}

// The renderer of the server (../../src/renderer). It renders the same views as the browser, from the answers of the API that
// the server loads for it. Both functions take and return JSON, and keep nothing between calls.

import 'core-js/web/url.js';
import renderToString from 'preact-render-to-string';
import { embeddedJson, PAGE_DATA_ID } from './calls/page_data';
import type { PageData } from './calls/page_data';
import type { Answer } from './calls/answers';
import type { FacetValue, SearchAnswer, Track } from './calls/types';
import { firstPath, isPlayableFirst, searchOf, searchPath } from './search/query';
import { App, showPage } from './shell/app';
import { address, site } from './shell/router';
import { GERMAN } from './shell/german';
import { documentTitle, headOf, routeOf } from './shell/routes';
import type { PageHead } from './shell/routes';
import { addTexts, isLanguage, language, LANGUAGE_COOKIE, t } from './shell/texts';
import { EmbedView } from './shared/embed_view';
import type { SharedCollection } from './shared/shared_collection';
import { audioObject } from './tracks/structured_data';
import { safeUrl } from './tracks/license';

/** The files of the browser's build (entries.ts). */
declare const ENTRIES: Record<'main' | 'docs', { script: string; styles: string[]; modules: string[] }>;

interface PageRequest {
  target: string; // path and query
  accept_language: string;
  cookie: string;
}

interface RenderRequest extends PageRequest {
  answers: Record<string, Answer>;
  is_available: boolean;
  api: string;
}

addTexts('de', GERMAN);

const urlOf = ({ target }: PageRequest) => new URL(`http://site${target}`);

/** WEB-19 */
function chooseLanguage(request: PageRequest) {
  const requested = urlOf(request).searchParams.get('lang');
  const chosen = new RegExp(`(?:^|; *)${LANGUAGE_COOKIE}=([a-z]+)`).exec(request.cookie)?.[1];
  const preferred = request.accept_language.split(',').map((item) => {
    const [name = '', weight] = item.trim().split(/ *; *q=/);
    return { name: name.slice(0, 2).toLowerCase(), weight: weight === undefined ? 1 : Number(weight) || 0 };
  }).filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight).map(({ name }) => name);
  language.value = [requested, chosen, ...preferred].find(isLanguage) ?? 'en';
}

/** The address of the site, from the page of any track among the answers; empty if there is none. */
function siteUrl(answers: Record<string, Answer>): string {
  for (const { body } of Object.values(answers)) {
    const { tracks, items, page_url } = body as Partial<SearchAnswer & Track & SharedCollection>;
    const url = page_url ?? tracks?.[0]?.page_url ?? items?.find(({ track }) => track)?.track?.page_url;
    if (url && safeUrl(url)) return url.slice(0, url.lastIndexOf('/tracks/'));
  }
  return '';
}

function Head({ head, site, entry, isLive }: { head: PageHead; site: string; entry: 'main' | 'docs'; isLive: boolean }) {
  const { script, styles, modules } = ENTRIES[entry];
  const canonical = head.canonical !== null && site ? site + head.canonical : null;
  const preview = safeUrl(head.track?.preview_url);
  const license = safeUrl(head.track?.license.url);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{documentTitle(head.title)}</title>
      <meta name="description" content={head.description} />
      <meta name="color-scheme" content="light dark" />
      {head.canonical === null && <meta name="robots" content="noindex" />}
      {canonical && <link rel="canonical" href={canonical} />}
      {canonical && <meta property="og:url" content={canonical} />}
      {license && <link rel="license" href={license} />}
      <link rel="icon" href="/favicon.svg" />
      <meta property="og:site_name" content={t('site.name')} />
      <meta property="og:title" content={head.title || t('site.name')} />
      <meta property="og:description" content={head.description} />
      {head.track && <meta property="og:type" content={head.track.kind === 'music' ? 'music.song' : 'website'} />}
      {preview && <meta property="og:audio" content={preview} />}
      {styles.map((style) => <link rel="stylesheet" href={style} key={style} />)}
      {isLive && modules.map((path) => <link rel="modulepreload" href={path} key={path} />)}
      {isLive && <script type="module" src={script} />}
      {head.track && <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: audioObject(head.track) }} />}
    </head>
  );
}

/** Returns the paths below /v1 whose answers a page needs. */
export function plan(json: string): string {
  const request = JSON.parse(json) as PageRequest;
  chooseLanguage(request);
  const found = routeOf(urlOf(request));
  return JSON.stringify({ needs: found ? found.route.needs(found.page) : [] });
}

function statusOf(head: PageHead | null, { is_available, answers }: RenderRequest): number {
  if (!is_available) return 503;
  if (!head) return 404;
  const refused = Object.values(answers).find(({ status }) => status === 400);
  return refused ? 400 : 200;
}

/** Drops what the browser does not need from an answer: most of a page is its answers. */
function trim(path: string, body: Partial<SearchAnswer>) {
  for (const track of [...(body.tracks ?? []), body]) delete (track as { untrusted_fields?: unknown }).untrusted_fields;
  if (!/[?&]fields=id(&|$)/.test(path)) return;
  delete body.tracks; // of a count
  delete body.cursor;
  for (const values of Object.values(body.facets ?? {})) for (const value of values as Partial<FacetValue>[]) if (value.label === value.id) delete value.label;
}

/** Renders a page. */
export function render(json: string): string {
  const request = JSON.parse(json) as RenderRequest;
  const { answers, is_available } = request;
  chooseLanguage(request);
  const url = urlOf(request);
  const isDocs = url.pathname === '/docs';
  address.value = url;
  const base = siteUrl(answers);
  site.value = base ? new URL(base).origin : '';
  showPage(url, answers);
  const found = isDocs ? { title: t('docs.title'), description: t('head.docs'), canonical: '/docs' } : headOf(url);
  const status = statusOf(found, request);
  const nothing = { title: t(is_available ? 'error.missing' : 'error.unavailable.title'), description: t('site.description'), canonical: null };
  const head = status === 200 || status === 400 ? found ?? nothing : nothing;
  const query = searchOf(url);
  const first = answers[firstPath(query)]?.body as SearchAnswer | undefined;
  if (isPlayableFirst(query) && first?.cursor) delete answers[searchPath(query)]; // the page did not need it
  for (const [path, { body }] of Object.entries(answers)) trim(path, body as Partial<SearchAnswer>);
  const data: PageData = { language: language.value, answers, ...(isDocs ? { api: request.api.replace(/\/$/, '') } : {}) };
  const isEmbed = url.pathname.startsWith('/embed/') && status === 200;
  const isLive = is_available && !isEmbed;
  const page = !is_available ? <Unavailable /> : isDocs ? <p>{t('needs.script')}</p> : isEmbed ? <EmbedView parts={url.pathname.slice(1).split('/')} /> : <App />;
  const html = renderToString(
    <html lang={language.value}>
      <Head head={head} site={base} entry={isDocs ? 'docs' : 'main'} isLive={isLive} />
      <body>
        <div id="app">{page}</div>
        {isLive && <script type="application/json" id={PAGE_DATA_ID} dangerouslySetInnerHTML={{ __html: embeddedJson(data) }} />}
      </body>
    </html>,
  );
  return JSON.stringify({ status, language: language.value, html: `<!doctype html>${html}` });
}

const Unavailable = () => (
  <main class="empty page" id="main">
    <h1>{t('error.unavailable.title')}</h1>
    <p>{t('error.unavailable')}</p>
    <a class="button" href="/">{t('error.toSearch')}</a>
  </main>
);


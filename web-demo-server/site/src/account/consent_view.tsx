// The page on which a person connects an application with the account (OAUTH-6). The server checks the application's request; the
// browser returns to the application only with an address from the server.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../calls/server';
import { session } from '../calls/session';
import { Waiting } from '../search/list';
import { t } from '../shell/later_texts';
import { explain, notifyError } from '../shell/notices';
import { address } from '../shell/router';
import { shortLine } from '../shell/texts';
import { SignForm } from './sign_form';

export interface Application {
  /** What the application calls itself; may be empty. */
  name: string;
  host: string;
  is_local: boolean;
}

/** `publisher` is the host of the document that describes the application; null if it registered itself. */
type Described = Application & { publisher: string | null };
type Authorization = Described | { redirect: string };

/** Where the person returns: a host, or this computer. */
export const placeOf = ({ host, is_local: isLocal }: Application) => (isLocal ? t('connect.local') : host);

function SignIn() {
  const here = address.value.pathname + address.value.search;
  return (
    <section class="panel" aria-labelledby="connect-sign">
      <h2 id="connect-sign">{t('connect.sign')}</h2>
      <SignForm isUp={false} done={() => undefined} />
      <p><a href={`/sign-up?then=${encodeURIComponent(here)}`}>{t('sign.toUp')}</a></p>
    </section>
  );
}

function Decision({ query, place, name }: { query: string; place: string; name: string }) {
  const [busy, setBusy] = useState(false);
  const decide = (decision: 'allow' | 'deny') => {
    setBusy(true);
    call<{ redirect: string }>('consent', { method: 'POST', body: { query, decision } })
      .then(({ redirect }) => location.replace(redirect), (error: unknown) => { setBusy(false); notifyError(error); });
  };
  return (
    <section class="panel" aria-labelledby="connect-may">
      <h2 id="connect-may">{t('connect.may')}</h2>
      <ul class="permissions"><li>{t('connect.may.read')}</li><li>{t('connect.may.see')}</li><li>{t('connect.may.change')}</li></ul>
      <p class="small">{t('connect.mayNot')}</p>
      <p>{t('connect.as')} <strong><bdi>{name}</bdi></strong></p>
      <div class="buttons">
        <button class="primary" type="button" disabled={busy} onClick={() => decide('allow')}>{t('connect.allow')}</button>
        <button type="button" disabled={busy} onClick={() => decide('deny')}>{t('connect.deny')}</button>
      </div>
      <p class="small">{t('connect.return')} <strong><bdi>{place}</bdi></strong></p>
      <p class="small">{t('connect.end')}</p>
    </section>
  );
}

function Request({ name: account }: { name: string }) {
  const query = address.value.search.slice(1);
  const [found, setFound] = useState<Authorization | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => { call<Authorization>(`authorization?${query}`).then(setFound, setError); }, [query]);
  if (error !== null) return <p class="error-text" role="alert">{explain(error)}</p>;
  if (!found) return <Waiting rows={3} />;
  // The person decides whether to return, so that no link to this page leads to another site by itself.
  if ('redirect' in found) return <p class="error-text" role="alert">{t('connect.failed')} <a href={found.redirect}>{t('connect.back', { host: new URL(found.redirect).host })}</a></p>;
  const { publisher, name } = found;
  const place = placeOf(found);
  return (
    <>
      <p><strong><bdi>{shortLine(name, 80) || (publisher ?? place)}</bdi></strong> {t('connect.lead')}</p>
      <p class="small">{t(publisher === null ? 'connect.unchecked' : 'connect.published')} <strong><bdi>{publisher ?? place}</bdi></strong></p>
      <Decision query={query} place={place} name={account} />
    </>
  );
}

export function ConsentView() {
  const now = session.value;
  return (
    <div class="page narrow">
      <h1>{t('connect.title')}</h1>
      {!now ? <Waiting rows={3} /> : now.account ? <Request name={now.account.name} /> : <SignIn />}
    </div>
  );
}

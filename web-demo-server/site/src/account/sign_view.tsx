// The pages to sign in and to create an account. `then` of the URL is where the person continues.

import { t } from '../shell/later_texts';
import { address, navigate } from '../shell/router';
import { SignForm } from './sign_form';

/** A path of this site, never another one. */
function pathAfter(url: URL): string {
  const then = url.searchParams.get('then') ?? '';
  return /^\/(?![/\\])\S*$/.test(then) ? then : '/collections'; // URLs ignore tabs and line feeds
}

export function SignView({ parts }: { parts: string[] }) {
  const isUp = parts[0] === 'sign-up';
  return (
    <div class="page narrow">
      <h1>{t(isUp ? 'sign.up' : 'sign.in')}</h1>
      <SignForm isUp={isUp} done={() => navigate(pathAfter(address.value), { replace: true })} />
      <p><a href={`${isUp ? '/sign-in' : '/sign-up'}${address.value.search}`}>{t(isUp ? 'sign.toIn' : 'sign.toUp')}</a></p>
      {!isUp && <p><a href="/recover">{t('recover.link')}</a></p>}
    </div>
  );
}

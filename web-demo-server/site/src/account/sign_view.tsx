// Sign-in and sign-up.

import { useState } from 'preact/hooks';
import { call } from '../calls/server';
import { session } from '../calls/session';
import type { Session } from '../calls/types';
import { explain } from '../shell/notices';
import { address, navigate } from '../shell/router';
import { t } from '../shell/texts';

export function SignView({ parts }: { parts: string[] }) {
  const isUp = parts[0] === 'sign-up';
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const title = t(isUp ? 'sign.up' : 'sign.in');
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      session.value = await call<Session>(isUp ? 'sign-up' : 'sign-in', { method: 'POST', body: { name, password } });
      navigate(address.value.searchParams.get('then') === 'account' ? '/account' : '/collections', { replace: true });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="page narrow">
      <h1>{title}</h1>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <label class="field"><span>{t('sign.name')}</span>
          <input type="text" name="username" required autoComplete="username" autoCapitalize="off" maxLength={64} value={name} onInput={(event) => setName(event.currentTarget.value)} /></label>
        <label class="field"><span>{t('sign.password')}</span>
          <input type="password" name="password" required autoComplete={isUp ? 'new-password' : 'current-password'} maxLength={200} value={password}
            aria-describedby={isUp ? 'password-hint' : undefined} onInput={(event) => setPassword(event.currentTarget.value)} /></label>
        {isUp && <p class="small" id="password-hint">{t('sign.passwordHint')}</p>}
        {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
        <button class="primary" type="submit" disabled={busy}>{title}</button>
      </form>
      <p><a href={isUp ? '/sign-in' : '/sign-up'}>{t(isUp ? 'sign.toIn' : 'sign.toUp')}</a></p>
    </div>
  );
}

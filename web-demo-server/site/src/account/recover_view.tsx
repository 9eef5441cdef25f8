// Sets a new password with a recovery code.

import { useState } from 'preact/hooks';
import { call } from '../calls/server';
import { session } from '../calls/session';
import { explain } from '../shell/notices';
import { navigate } from '../shell/router';
import { t } from '../shell/texts';
import { Field, problemsOf } from './sign_form';
import type { NewSession } from './sign_form';
import { RecoveryCode } from './shown_once';

export function RecoverView() {
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [next, setNext] = useState<NewSession | null>(null);
  const problem = problemsOf(name, password).password;
  const submit = async (event: Event) => {
    event.preventDefault();
    setChecked(true);
    setError(null);
    if (problem !== null) return;
    try {
      setNext(await call<NewSession>('recover', { method: 'POST', body: { name, code, new_password: password } }));
    } catch (failure) {
      setError(failure);
    }
  };
  const finish = ({ recovery_code: _, ...signedIn }: NewSession) => {
    session.value = signedIn;
    navigate('/collections', { replace: true });
  };
  return (
    <div class="page narrow">
      <h1>{t('recover.title')}</h1>
      {next?.recovery_code
        ? <RecoveryCode code={next.recovery_code} seen={() => finish(next)} />
        : (
          <form class="stack" onSubmit={(event) => void submit(event)}>
            <p>{t('recover.why')}</p>
            <Field id="username" label={t('sign.name')} value={name} problem={null} autoComplete="username" change={setName} />
            <Field id="code" label={t('recovery.code')} value={code} problem={null} autoComplete="off" change={setCode} />
            <Field id="password" label={t('account.password.next')} value={password} hint={t('sign.passwordHint')} problem={isChecked ? problem : null} autoComplete="new-password" change={setPassword} />
            {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
            <button class="primary" type="submit">{t('account.password.change')}</button>
          </form>
        )}
    </div>
  );
}

// Sets a new password with a recovery code.

import { useState } from 'preact/hooks';
import { call } from '../calls/server';
import { session } from '../calls/session';
import { explain } from '../shell/notices';
import { navigate } from '../shell/router';
import { t } from '../shell/later_texts';
import { Field, problemsOf } from './sign_form';
import type { NewSession } from './sign_form';
import { RecoveryCode } from './shown_once';
import { useSubmission } from './submission';

export function RecoverView() {
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [next, setNext] = useState<NewSession | null>(null);
  const problem = problemsOf(name, password).password;
  const { error, busy, submit } = useSubmission(async () => {
    setChecked(true);
    if (problem === null) setNext(await call<NewSession>('recover', { method: 'POST', body: { name, code, new_password: password } }));
  });
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
          <form class="stack" onSubmit={submit}>
            <p>{t('recover.why')}</p>
            <Field id="username" label={t('sign.name')} value={name} autoComplete="username" change={setName} />
            <Field id="code" label={t('recovery.code')} value={code} autoComplete="off" change={setCode} />
            <Field id="password" label={t('account.password.next')} value={password} hint={t('sign.passwordHint')} problem={isChecked ? problem : null} autoComplete="new-password" change={setPassword} />
            {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
            <button class="primary" type="submit" disabled={busy}>{t('account.password.change')}</button>
          </form>
        )}
    </div>
  );
}

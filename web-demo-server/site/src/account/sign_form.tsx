// The form to sign in or to create an account, on its pages and in dialogs.

import { useState } from 'preact/hooks';
import { call } from '../calls/server';
import { session } from '../calls/session';
import type { Session } from '../calls/types';
import { t } from '../shell/later_texts';
import '../style/people.css';
import { useSubmission } from './submission';
import { explain } from '../shell/notices';
import { RecoveryCode } from './shown_once';

/** What is wrong with the fields of a new account (WEB-7), or null for a field that is right. */
export function problemsOf(name: string, password: string) {
  const isName = /^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$/.test(name);
  const size = new TextEncoder().encode(password).length;
  return {
    name: isName ? null : t('sign.nameHint'),
    password: [...password].length < 8 ? t('sign.passwordHint') : size > 256 ? t('sign.passwordLong') : password.toLowerCase() === name.toLowerCase() ? t('sign.passwordIsName') : null,
  };
}

interface FieldProps {
  id: 'username' | 'password' | 'new-password' | 'code';
  label: string;
  value: string;
  hint?: string | undefined;
  problem?: string | null;
  autoComplete: 'off' | 'username' | 'new-password' | 'current-password';
  change: (value: string) => void;
}

export function Field({ id, label, value, hint, problem = null, autoComplete, change }: FieldProps) {
  const note = problem ?? hint;
  return (
    <label class="field"><span>{label}</span>
      <input {...(id === 'username' || id === 'code' ? ({ type: 'text' } as const) : ({ type: 'password' } as const))} name={id} required autoComplete={autoComplete} autoCapitalize="off" spellcheck={false} maxLength={256} value={value}
        aria-invalid={problem !== null || undefined} aria-describedby={note ? `${id}-note` : undefined} onInput={(event) => change(event.currentTarget.value)} />
      {note && <small id={`${id}-note`} class={problem ? 'error-text' : undefined}>{note}</small>}</label>
  );
}

/** A new session with a new recovery code. The page shows the code before it continues. */
export type NewSession = Session & { recovery_code?: string };

export function SignForm({ isUp, done }: { isUp: boolean; done: () => void }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [next, setNext] = useState<NewSession | null>(null);
  const problems = isUp && isChecked ? problemsOf(name, password) : { name: null, password: null };
  const finish = ({ recovery_code: _, ...signedIn }: NewSession) => {
    session.value = signedIn;
    done();
  };
  const { error, busy, submit } = useSubmission(async () => {
    setChecked(true);
    const { name: badName, password: badPassword } = problemsOf(name, password);
    if (isUp && (badName ?? badPassword) !== null) return;
    const answer = await call<NewSession>(isUp ? 'sign-up' : 'sign-in', { method: 'POST', body: { name, password } });
    if (answer.recovery_code) setNext(answer);
    else finish(answer);
  });
  if (next?.recovery_code) return <RecoveryCode code={next.recovery_code} seen={() => finish(next)} />;
  return (
    <form class="stack" noValidate={isUp} onSubmit={submit}>
      <Field id="username" label={t('sign.name')} value={name} hint={isUp ? t('sign.nameHint') : undefined} problem={problems.name} autoComplete="username" change={setName} />
      <Field id="password" label={t('sign.password')} value={password} hint={isUp ? t('sign.passwordHint') : undefined} problem={problems.password}
        autoComplete={isUp ? 'new-password' : 'current-password'} change={setPassword} />
      {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
      <button class="primary" type="submit" disabled={busy}>{t(isUp ? 'sign.up' : 'sign.in')}</button>
    </form>
  );
}

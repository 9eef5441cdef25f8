// Changes the password.

import { useState } from 'preact/hooks';
import { call } from '../calls/server';
import { session } from '../calls/session';
import type { Session } from '../calls/types';
import { t } from '../shell/later_texts';
import { explain, notify } from '../shell/notices';

interface FieldProps {
  label: string;
  value: string;
  autoComplete: 'current-password' | 'new-password';
  hint?: string;
  change: (value: string) => void;
}

function Field({ label, value, autoComplete, hint, change }: FieldProps) {
  return (
    <label class="field"><span>{label}</span>
      <input type="password" required autoComplete={autoComplete} maxLength={200} value={value} aria-describedby={hint} onInput={(event) => change(event.currentTarget.value)} /></label>
  );
}

export function PasswordPanel({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [next, setNext] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const close = () => {
    setOpen(false);
    setPassword('');
    setNext('');
    setError(null);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      session.value = await call<Session>('password', { method: 'POST', body: { password, new_password: next } });
      close();
      notify(t('account.password.changed'));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="panel" aria-labelledby="password-title">
      <h2 id="password-title">{t('sign.password')}</h2>
      <p>{t('account.password.why')}</p>
      {!open && <button type="button" onClick={() => setOpen(true)}>{t('account.password.change')}</button>}
      {open && (
        <form class="stack" onSubmit={(event) => void submit(event)}>
          <input type="text" class="unseen" autoComplete="username" value={name} readOnly tabIndex={-1} aria-hidden="true" />
          <Field label={t('account.password.now')} value={password} autoComplete="current-password" change={setPassword} />
          <Field label={t('account.password.next')} value={next} autoComplete="new-password" hint="new-password-hint" change={setNext} />
          <p class="small" id="new-password-hint">{t('sign.passwordHint')}</p>
          {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
          <div class="buttons">
            <button class="primary" type="submit" disabled={busy}>{t('account.password.change')}</button>
            <button type="button" onClick={close}>{t('dialog.cancel')}</button>
          </div>
        </form>
      )}
    </section>
  );
}

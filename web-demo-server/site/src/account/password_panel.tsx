// Changes the password.

import { useState } from 'preact/hooks';
import { call } from '../calls/server';
import { session } from '../calls/session';
import type { Session } from '../calls/types';
import { t } from '../shell/later_texts';
import { explain, notify } from '../shell/notices';
import { Field } from './sign_form';
import { useSubmission } from './submission';

export function PasswordPanel({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [next, setNext] = useState('');
  const close = () => {
    setOpen(false);
    setPassword('');
    setNext('');
  };
  const { error, busy, submit } = useSubmission(async () => {
    session.value = await call<Session>('password', { method: 'POST', body: { password, new_password: next } });
    close();
    notify(t('account.password.changed'));
  });
  return (
    <section class="panel" aria-labelledby="password-title">
      <h2 id="password-title">{t('sign.password')}</h2>
      <p>{t('account.password.why')}</p>
      {!open && <button type="button" onClick={() => setOpen(true)}>{t('account.password.change')}</button>}
      {open && (
        <form class="stack" onSubmit={submit}>
          <input type="text" class="unseen" autoComplete="username" value={name} readOnly tabIndex={-1} aria-hidden="true" />
          <Field id="password" label={t('account.password.now')} value={password} autoComplete="current-password" change={setPassword} />
          <Field id="new-password" label={t('account.password.next')} value={next} autoComplete="new-password" hint={t('sign.passwordHint')} change={setNext} />
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

// Replaces the recovery code.

import { useState } from 'preact/hooks';
import { call } from '../calls/server';
import { explain } from '../shell/notices';
import { t } from '../shell/later_texts';
import { RecoveryCode } from './shown_once';

export function RecoveryPanel() {
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const close = () => {
    setOpen(false);
    setPassword('');
    setError(null);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    call<{ recovery_code: string }>('recovery-code', { method: 'POST', body: { password } }).then((answer) => {
      setCode(answer.recovery_code);
      close();
    }, setError);
  };
  return (
    <section class="panel" aria-labelledby="recovery-title">
      <h2 id="recovery-title">{t('recovery.code')}</h2>
      <p>{t('recovery.why')}</p>
      {code !== null && <RecoveryCode code={code} seen={() => setCode(null)} />}
      {!open && <button type="button" onClick={() => setOpen(true)}>{t('recovery.create')}</button>}
      {open && (
        <form class="stack" onSubmit={submit}>
          <label class="field"><span>{t('sign.password')}</span>
            <input type="password" required autoComplete="current-password" value={password} onInput={(event) => setPassword(event.currentTarget.value)} /></label>
          {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
          <div class="buttons">
            <button class="primary" type="submit">{t('recovery.create')}</button>
            <button type="button" onClick={close}>{t('dialog.cancel')}</button>
          </div>
        </form>
      )}
    </section>
  );
}

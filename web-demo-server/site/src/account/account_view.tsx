// The account page: plan, usage, API keys, password, deletion.

import { useState } from 'preact/hooks';
import { call } from '../calls/server';
import { loadSession, session } from '../calls/session';
import type { Session } from '../calls/types';
import { t } from '../shell/later_texts';
import '../style/people.css';
import { explain, notify, notifyError } from '../shell/notices';
import { navigate } from '../shell/router';
import { Waiting } from '../search/list';
import { SignView } from './sign_view';
import { downloadCollections } from './export';
import { ConnectionsPanel } from './connections_panel';
import { KeysPanel } from './keys_panel';
import { RecoveryPanel } from './recovery_panel';
import { PasswordPanel } from './password_panel';
import { UsagePanel } from './usage_panel';
import { Field } from './sign_form';
import { useSubmission } from './submission';

const PLANS = ['free', 'pro'] as const;

function Plan({ session: { account, plan_choice: isChoice } }: { session: Session }) {
  const switchPlan = (plan: (typeof PLANS)[number]) =>
    call('plan', { method: 'PUT', body: { plan } }).then(loadSession).then(() => notify(t('account.plan.taken', { plan: t(`account.plan.${plan}`) })), notifyError);
  return (
    <section class="panel" aria-labelledby="plan-title">
      <h2 id="plan-title">{t('account.plan')}</h2>
      <ul class="plans">
        {PLANS.filter((plan) => isChoice || account?.plan === plan).map((plan) => (
          <li class="plan" key={plan} data-current={account?.plan === plan || undefined}>
            <h3>{t(`account.plan.${plan}`)}</h3>
            <p>{t(`account.plan.${plan}.what`)}</p>
            {account?.plan === plan
              ? <p class="sign">{t('account.plan.current')}</p>
              : <button type="button" onClick={() => void switchPlan(plan)}>{t('account.plan.take', { plan: t(`account.plan.${plan}`) })}</button>}
          </li>
        ))}
      </ul>
      {isChoice && <p class="small">{t('account.plan.demo')}</p>}
    </section>
  );
}

function DeleteAccount() {
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const { error, busy, submit } = useSubmission(async () => {
    await call('account', { method: 'DELETE', body: { password } });
    await loadSession();
    notify(t('account.deleted'));
    navigate('/', { replace: true });
  });
  return (
    <section class="panel" aria-labelledby="delete-title">
      <h2 id="delete-title">{t('account.delete')}</h2>
      <p>{t('account.delete.why')}</p>
      {!open && <button class="danger" type="button" onClick={() => setOpen(true)}>{t('account.delete')}</button>}
      {open && (
        <form class="stack" onSubmit={submit}>
          <Field id="password" label={t('sign.password')} value={password} autoComplete="current-password" change={setPassword} />
          {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
          <div class="buttons">
            <button class="danger" type="submit" disabled={busy}>{t('account.delete.yes')}</button>
            <button type="button" onClick={() => setOpen(false)}>{t('dialog.cancel')}</button>
          </div>
        </form>
      )}
    </section>
  );
}

export function AccountView() {
  const now = session.value;
  if (!now) return <div class="page"><Waiting rows={3} /></div>;
  if (!now.signed_in || !now.account) return <SignView parts={['sign-in']} />;
  const signOut = () => call('sign-out', { method: 'POST', body: {} }).then(loadSession).then(() => navigate('/'), notifyError);
  return (
    <div class="page account-page">
      <div class="page-head">
        <div><p class="eyebrow">{t('account.title')}</p><h1><bdi>{now.account.name}</bdi></h1></div>
        <div class="buttons">
          <button type="button" onClick={() => void downloadCollections().catch(notifyError)}>{t('account.export')}</button>
          <button type="button" onClick={() => void signOut()}>{t('sign.out')}</button>
        </div>
      </div>
      <Plan session={now} />
      <UsagePanel plan={now.account.plan} />
      <KeysPanel />
      <ConnectionsPanel />
      <PasswordPanel name={now.account.name} />
      <RecoveryPanel />
      <DeleteAccount />
    </div>
  );
}

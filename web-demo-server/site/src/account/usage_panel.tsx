// Usage of the account's keys: calls per day as bars, and the remaining calls of each limit.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../calls/server';
import type { Usage } from '../calls/types';
import { t } from '../shell/later_texts';
import { explain } from '../shell/notices';
import { dateOf } from '../shell/texts';

const DAY = 12; // width of a bar with its gap
const HEIGHT = 72;

function Days({ days: unordered }: { days: Usage['days'] }) {
  const days = [...unordered].sort((a, b) => (a.date < b.date ? -1 : 1));
  const max = Math.max(1, ...days.map(({ calls }) => calls));
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${Math.max(1, days.length) * DAY} ${HEIGHT}`} role="img" aria-label={t('account.usage.days', { count: days.length })} preserveAspectRatio="none">
        {days.map(({ date, calls }, index) => {
          const height = calls === 0 ? 1 : Math.max(3, (calls / max) * HEIGHT);
          return (
            <rect key={date} x={index * DAY + 1} y={HEIGHT - height} width={DAY - 3} height={height} rx="1.5" data-empty={calls === 0 || undefined}>
              <title>{t('account.usage.day', { date: dateOf(date), calls })}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>{days.every(({ calls }) => calls === 0) ? t('account.usage.none') : t('account.usage.days', { count: days.length })}</figcaption>
    </figure>
  );
}

function Limit({ of }: { of: Usage['limits'][number] }) {
  return (
    <div class="limit">
      <span>{t(`account.limit.${of.limit}`)}</span>
      <meter min="0" max={of.quota} value={of.remaining} low={of.quota * 0.2} optimum={of.quota} aria-label={t(`account.limit.${of.limit}`)} />
      <span class="small">{t('account.limit.left', { left: of.remaining, of: of.quota })}</span>
    </div>
  );
}

export function UsagePanel({ plan }: { plan: string | null }) {
  const [usage, setUsage] = useState<Usage | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    call<Usage>('usage').then(setUsage, setError);
  }, [plan]);
  return (
    <section class="panel" aria-labelledby="usage-title">
      <h2 id="usage-title">{t('account.usage')}</h2>
      {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
      {!usage && error === null && <div class="chart waiting" role="status"><span class="unseen">{t('search.loading')}</span></div>}
      {usage && <><Days days={usage.days} /><div class="limits">{usage.limits.map((limit) => <Limit key={limit.limit} of={limit} />)}</div></>}
    </section>
  );
}

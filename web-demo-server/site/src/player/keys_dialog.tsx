// The list of keyboard shortcuts.

import { Dialog } from '../shell/dialog';
import { t } from '../shell/later_texts';
import { keysShown } from './keys';

const KEYS = [
  ['/', 'keys.search'], ['␣', 'keys.play'], ['← →', 'keys.seek'], ['J', 'keys.next'], ['K', 'keys.previous'],
  ['L', 'keys.loop'], ['M', 'keys.mute'], ['?', 'keys.help'],
] as const;

export const KeysDialog = () => (
  <Dialog title={t('foot.keys')} closed={() => { keysShown.value = false; }}>
    {() => <dl class="keys">{KEYS.map(([key, text]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{t(text)}</dd></div>)}</dl>}
  </Dialog>
);

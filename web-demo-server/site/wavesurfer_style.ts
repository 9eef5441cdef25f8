// wavesurfer.js writes a <style> element into its shadow tree, which `style-src 'self'` refuses. As a <template> it is only
// text, which the waveform puts into a constructed style sheet (src/player/waveform.ts).

import type { Plugin } from 'vite';

export function wavesurferStyle(): Plugin {
  return {
    name: 'wavesurfer-style',
    transform(code, id) {
      if (!/wavesurfer\.js[\\/]dist[\\/]/.test(id) || !code.includes('<style')) return;
      const changed = code.replace(/<style\$\{[^>]*>/, '<template class="style">').replace('</style>', '</template>');
      if (changed.includes('<style') || changed.includes('</style>')) this.error('wavesurfer.js writes its style in another way');
      return { code: changed, map: null };
    },
  };
}

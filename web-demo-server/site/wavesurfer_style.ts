// wavesurfer.js writes a <style> element into its shadow tree, which `style-src 'self'` blocks. This plugin turns it into a
// <template>, whose text src/player/waveform.ts puts into a constructed style sheet.

import type { Plugin } from 'vite';

export function wavesurferStyle(): Plugin {
  return {
    name: 'wavesurfer-style',
    transform(code, id) {
      if (!/wavesurfer\.js[\\/]dist[\\/]/.test(id) || !code.includes('<style')) return;
      const changed = code.replace(/<style\$\{[^>]*>/, '<template class="style">').replace('</style>', '</template>');
      if (changed.includes('<style') || changed.includes('</style>')) this.error('wavesurfer.js no longer writes its style as expected');
      return { code: changed, map: null };
    },
  };
}

// A view or a dialog that is loaded when it is first shown.

import { signal } from '@preact/signals';
import type { ComponentChild, ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

/** Shows `fallback` until the view is loaded. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>, fallback: () => ComponentChild): ComponentType<Props> {
  const loaded = signal<{ View: ComponentType<Props> } | null>(null);
  return (props) => {
    useEffect(() => {
      if (!loaded.value) void load().then((View) => { loaded.value = { View }; });
    }, []);
    const View = loaded.value?.View;
    return View ? <View {...props} /> : <>{fallback()}</>;
  };
}

// Preferences that the page stores in this browser, never a key. They are lost if the browser refuses storage.

export function savePreference(name: string, value: string) {
  try {
    localStorage.setItem(`tonearm.${name}`, value);
  } catch {
    // Private windows may refuse storage.
  }
}

export function loadPreference(name: string): string | null {
  try {
    return localStorage.getItem(`tonearm.${name}`);
  } catch {
    return null;
  }
}

// Preferences that the page stores in this browser, never a key. If the browser refuses storage, they last as long as the page.

const unstored = new Map<string, string>();

export function savePreference(name: string, value: string) {
  try {
    localStorage.setItem(`tonearm.${name}`, value);
  } catch {
    unstored.set(name, value); // private windows may refuse storage
  }
}

export function loadPreference(name: string): string | null {
  try {
    return unstored.get(name) ?? localStorage.getItem(`tonearm.${name}`);
  } catch {
    return null;
  }
}

// What the page remembers on this device: taste, never a key. A browser that refuses storage forgets.

export function remember(name: string, value: string) {
  try {
    localStorage.setItem(`tonearm.${name}`, value);
  } catch {
    // Private windows may refuse.
  }
}

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`tonearm.${name}`);
  } catch {
    return null;
  }
}

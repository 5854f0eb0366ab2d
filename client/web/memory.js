/** What the browser remembers of a visit, for this server alone. */

/** @param {string} key */
export function kept(key) {
  try {
    return localStorage.getItem(`parlour.${key}`);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string|null} value */
export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(`parlour.${key}`);
    else localStorage.setItem(`parlour.${key}`, value);
  } catch {
    // Without storage a visit lasts as long as its tab.
  }
}

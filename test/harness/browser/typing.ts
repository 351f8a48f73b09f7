import type { Locator } from 'playwright-core';

/** Reaches the prototype, as playwright-core exports the type of its locators alone. */
type Keys = Pick<Locator, 'fill' | 'press' | 'pressSequentially'>;

const isGuarded = new WeakSet<Keys>();

const REACHABLE = 'html:not(:has(dialog:modal)) *, dialog:modal *';

/**
 * Makes typing wait, as clicking does, until no modal dialog covers the field. The browser sends what is typed at the page
 * behind one into the dialog, without an error: a test that was fast enough lost its text there.
 */
export function typeOnlyWherePeopleCan(locator: Locator): void {
  const keys = Object.getPrototypeOf(locator) as Keys;
  if (isGuarded.has(keys)) return;
  isGuarded.add(keys);
  for (const name of ['fill', 'press', 'pressSequentially'] as const) {
    const type = keys[name];
    keys[name] = async function typeOnceReachable(this: Locator, ...given: Parameters<Locator['fill']>) {
      await type.apply(this.and(this.page().locator(REACHABLE)), given as never);
    };
  }
}

/** What both simulated scripts need; the simulator puts it before each of them, with the path to ask at. */
const PATH = globalThis.simulatedBank.path;
const ORIGIN = new URL(document.currentScript.src).origin;

/** Asks the simulator that the script came from; rejects with what it says. */
async function ask(body) {
  const answer = await fetch(ORIGIN + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const read = await answer.json();
  if (!answer.ok) throw read;
  return read;
}

/** Draws a dialog with a title, a text and buttons `[label, action]`; the answer takes it away. */
function openWindow(title, text, buttons) {
  const cover = document.createElement('div');
  cover.style.cssText =
    'position:fixed;inset:0;z-index:2147483647;display:grid;place-items:center;background:rgb(0 0 0 / 50%)';
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  dialog.setAttribute('aria-modal', 'true');
  dialog.setAttribute('aria-label', title);
  dialog.style.cssText =
    'display:grid;gap:12px;width:min(320px,90vw);padding:24px;border-radius:8px;background:#fff;color:#111;font:16px system-ui';
  const heading = document.createElement('strong');
  heading.textContent = title;
  const paragraph = document.createElement('span');
  paragraph.textContent = text;
  dialog.append(heading, paragraph);
  for (const [label, action] of buttons) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.style.cssText =
      'padding:10px;border:1px solid #888;border-radius:6px;background:#f3f3f3;color:#111;font:inherit;cursor:pointer';
    button.addEventListener('click', action);
    dialog.append(button);
  }
  cover.append(dialog);
  document.body.append(cover);
  dialog.querySelector('button')?.focus();
  return () => cover.remove();
}

globalThis.simulatedBank = { ask, openWindow };

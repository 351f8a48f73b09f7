/** Makes the calls of a button, and shows the page as it is afterwards, or what went wrong. */
async function make(calls) {
  for (const { method, path, body } of calls) {
    const answer = await fetch(`/_control/${path}`, { method, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
  }
  location.reload();
}

for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', () => {
    make(JSON.parse(button.dataset.calls)).catch((error) => {
      document.querySelector('[role=status]').textContent = String(error);
    });
  });
}

// @ts-check
/*
 * The page that a bank sends the browser back to (contract 35.4). It lets the bank's window finish, and leads back to
 * the page that opened it, which finds the result.
 */
addEventListener('load', () => {
  const left = bankWindow.recall();
  const heading = /** @type {HTMLElement} */ (document.querySelector('h1'));
  if (!left || !bankWindow.isLoaded()) {
    heading.textContent = left ? 'The bank’s window could not be loaded' : 'Nothing is waiting here';
    const text = document.querySelector('main p');
    if (text) text.textContent = 'Go back to the page on which you chose your bank, and start again there.';
    return;
  }
  /** @param {object} result */
  const goBack = (result) => {
    bankWindow.leaveResult(result);
    location.replace(left.page);
  };
  bankWindow.open(
    { link_token: left.link_token },
    {
      returnedTo: location.href,
      onSignedIn: (/** @type {object} */ signedIn) => goBack({ signedIn }),
      onClosed: (/** @type {string | null} */ problem) => goBack({ problem }),
      onStale: () => goBack({ problem: 'That took too long. Start again.' }),
    },
  );
});

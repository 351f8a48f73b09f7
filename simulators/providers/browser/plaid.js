const { ask, openWindow } = globalThis.simulatedBank;
const TITLE = 'Plaid (simulated)';
const NO_METADATA = { institution: null, status: null, link_session_id: null, request_id: null };

globalThis.Plaid = {
  create({ token, onSuccess, onExit, onLoad }) {
    let close = () => undefined;
    const leave = (error) => {
      close();
      onExit?.(error, NO_METADATA);
    };
    const failure = {
      error_type: 'INSTITUTION_ERROR',
      error_code: 'INSTITUTION_DOWN',
      error_message: 'this institution is not currently responding',
      display_message: 'This bank does not answer at the moment. Please try again later.',
    };
    const finish = (request) => async () => {
      try {
        const { public_token: publicToken, metadata } = await ask({ ...request, link_token: token });
        close();
        onSuccess?.(publicToken, metadata);
      } catch (error) {
        leave(error);
      }
    };
    const open = async () => {
      try {
        const { is_repair: isRepair, institutions } = await ask({ action: 'open', link_token: token });
        const choices = isRepair
          ? [['Sign in again', finish({ action: 'sign_in' })]]
          : institutions.map(({ id, name }) => [`Connect ${name}`, finish({ action: 'connect', institution_id: id })]);
        const ends = [
          ['Fail', () => leave(failure)],
          ['Exit', () => leave(null)],
        ];
        close();
        close = openWindow(TITLE, 'No real bank is asked.', [...choices, ...ends]);
      } catch (error) {
        leave(error);
      }
    };
    queueMicrotask(() => onLoad?.());
    return { open, exit: () => leave(null), destroy: () => close() };
  },
};

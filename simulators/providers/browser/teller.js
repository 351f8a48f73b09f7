const { ask, openWindow } = globalThis.simulatedBank;
const TITLE = 'Teller (simulated)';

globalThis.TellerConnect = {
  setup({ enrollmentId, onInit, onSuccess, onExit, onFailure }) {
    let close = () => undefined;
    const finish = (request) => async () => {
      try {
        const enrollment = await ask(request);
        close();
        onSuccess?.(enrollment);
      } catch (error) {
        fail(error);
      }
    };
    const fail = (error) => {
      close();
      onFailure?.({ type: 'payment', code: 'error', message: 'The bank does not answer at the moment.', ...error });
    };
    const leave = () => {
      close();
      onExit?.();
    };
    const open = async () => {
      try {
        const choices =
          enrollmentId === undefined || enrollmentId === null
            ? (await ask({ action: 'open' })).institutions.map(({ id, name }) => [
                `Connect ${name}`,
                finish({ action: 'connect', institution_id: id }),
              ])
            : [['Sign in again', finish({ action: 'sign_in', enrollment_id: enrollmentId })]];
        const ends = [
          ['Fail', () => fail({})],
          ['Exit', leave],
        ];
        close();
        close = openWindow(TITLE, 'No real bank is asked.', [...choices, ...ends]);
      } catch (error) {
        fail(error);
      }
    };
    queueMicrotask(() => onInit?.());
    return { open, close: leave, destroy: () => close() };
  },
};

import { Socket } from 'node:net';

// Loaded into a process by --import: the network is switched off except loopback, and whoever tries is told of.
// oxlint-disable-next-line typescript/unbound-method -- it is called with its socket below
const connect = Socket.prototype.connect;
Socket.prototype.connect = function connectOnLoopback(...args) {
  const [{ host, path } = {}] = Array.isArray(args[0]) ? args[0] : args;
  if (path === undefined && host !== undefined && !/^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host)) {
    process.stderr.write(`Something asked ${host}.\n`);
    throw new Error(`There is no network, so ${host} cannot be reached.`);
  }
  return connect.apply(this, args);
};

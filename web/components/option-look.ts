/** One of several things to choose from: no frame, since it stands in a card or dialog; the one chosen has a ground of its own. */
export const OPTION =
  '-mx-3 rounded-control px-3 py-2 pointer-coarse:py-2.5 hover:bg-sunken/60 has-checked:bg-accent-soft';

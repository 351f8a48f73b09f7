import { useId } from 'react';

import { Plot, type Area, type PlotPoint } from './plot.tsx';
import { roundScale } from './scale.ts';

/** Two values side by side: the first filled, the second hatched. */
export interface ColumnPair extends PlotPoint {
  values: readonly [number, number];
}

interface ColumnChartProps {
  label: string;
  pairs: readonly ColumnPair[];
  formatTick: (value: number) => string;
  active: number;
  onActive: (index: number) => void;
}

/** Two values per period. */
export function ColumnChart({ label, pairs, formatTick, active, onActive }: ColumnChartProps) {
  const scale = roundScale(
    pairs.flatMap(({ values }) => values),
    { fromZero: true },
  );
  const positions = pairs.map((_, index) => (index + 0.5) / pairs.length);
  return (
    <Plot
      label={label}
      points={pairs}
      scale={scale}
      formatTick={formatTick}
      positions={positions}
      active={active}
      onActive={onActive}
    >
      {(area) => <Columns pairs={pairs} area={area} active={active} />}
    </Plot>
  );
}

const WIDEST = 22;
const GAP = 2;

function Columns({ pairs, area, active }: { pairs: readonly ColumnPair[]; area: Area; active: number }) {
  const hatch = useId();
  const room = (area.right - area.left) / pairs.length;
  const width = Math.min(WIDEST, room * 0.34);
  return (
    <>
      <Hatch id={hatch} />
      <rect
        x={area.x(active) - room / 2}
        y={area.top}
        width={room}
        height={area.bottom - area.top}
        rx={6}
        className="fill-sunken"
      />
      {pairs.map(({ label, values }, index) => {
        const x = area.x(index);
        const [one, other] = values.map((value) => Math.max(0, area.y(0) - area.y(value))) as [number, number];
        return (
          <g key={label}>
            <rect
              x={x - width - GAP / 2}
              y={area.y(0) - one}
              width={width}
              height={one}
              rx={2}
              className="fill-accent"
            />
            <rect
              x={x + GAP / 2}
              y={area.y(0) - other}
              width={width}
              height={other}
              rx={2}
              fill={`url(#${hatch})`}
              className="stroke-warning"
            />
          </g>
        );
      })}
    </>
  );
}

/** Tells the second value from the first without colour. */
export function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="5" height="5" className="fill-warning-soft" />
      <rect width="2" height="5" className="fill-warning" />
    </pattern>
  );
}

/** The key to a column chart, with the same fillings. */
export function PairLegend({ first, second }: { first: string; second: string }) {
  const hatch = useId();
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      <li className="flex items-center gap-2">
        <svg aria-hidden width="14" height="14">
          <rect width="14" height="14" rx="3" className="fill-accent" />
        </svg>
        {first}
      </li>
      <li className="flex items-center gap-2">
        <svg aria-hidden width="14" height="14">
          <Hatch id={hatch} />
          <rect x="0.5" y="0.5" width="13" height="13" rx="3" fill={`url(#${hatch})`} className="stroke-warning" />
        </svg>
        {second}
      </li>
    </ul>
  );
}

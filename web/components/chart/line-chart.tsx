import { useId } from 'react';

import { Plot, type Area, type PlotPoint } from './plot.tsx';
import { roundScale } from './scale.ts';

export interface LinePoint extends PlotPoint {
  date: string;
  value: number;
  /** Calculated rather than reported: its parts of the line are dashed. */
  isDerived: boolean;
}

interface LineChartProps {
  label: string;
  points: readonly LinePoint[];
  formatTick: (value: number) => string;
  active: number;
  onActive: (index: number) => void;
}

/** A value over time. */
export function LineChart({ label, points, formatTick, active, onActive }: LineChartProps) {
  const scale = roundScale(points.map(({ value }) => value));
  return (
    <Plot
      label={label}
      points={points}
      scale={scale}
      formatTick={formatTick}
      positions={positionsOf(points)}
      active={active}
      onActive={onActive}
    >
      {(area) => <Line points={points} area={area} active={active} />}
    </Plot>
  );
}

/** By the calendar: a short month takes less room than a long one. */
function positionsOf(points: readonly LinePoint[]): number[] {
  const days = points.map(({ date }) => Date.parse(date));
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  return days.map((day) => (last === first ? 0.5 : (day - first) / (last - first)));
}

function Line({ points, area, active }: { points: readonly LinePoint[]; area: Area; active: number }) {
  const shade = useId();
  const place = (index: number): string =>
    `${area.x(index).toFixed(1)} ${area.y(points[index]?.value ?? 0).toFixed(1)}`;
  const whole = points.map((_, index) => `${index === 0 ? 'M' : 'L'}${place(index)}`).join('');
  const last = points.length - 1;
  return (
    <>
      <linearGradient id={shade} x1="0" x2="0" y1="0" y2="1">
        <stop offset="0" className="[stop-color:var(--accent)] [stop-opacity:0.22]" />
        <stop offset="1" className="[stop-color:var(--accent)] [stop-opacity:0]" />
      </linearGradient>
      {last > 0 && <path d={`${whole}V${area.bottom}H${area.x(0).toFixed(1)}Z`} fill={`url(#${shade})`} />}
      <path
        d={segments(points, place, false)}
        className="fill-none stroke-accent stroke-2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <path
        d={segments(points, place, true)}
        className="fill-none stroke-accent stroke-2"
        strokeLinejoin="round"
        strokeDasharray="5 4"
      />
      <line x1={area.x(active)} x2={area.x(active)} y1={area.top} y2={area.bottom} className="stroke-line-strong" />
      <circle
        cx={area.x(active)}
        cy={area.y(points[active]?.value ?? 0)}
        r={5}
        className="fill-surface stroke-accent stroke-[2.5]"
      />
    </>
  );
}

/** The parts of the line between reported values, or those at a derived one. */
function segments(points: readonly LinePoint[], place: (index: number) => string, isDerived: boolean): string {
  let path = '';
  let isOpen = false;
  for (let index = 1; index < points.length; index++) {
    const isWanted = (points[index]?.isDerived === true || points[index - 1]?.isDerived === true) === isDerived;
    if (isWanted) path += `${isOpen ? '' : `M${place(index - 1)}`}L${place(index)}`;
    isOpen = isWanted;
  }
  return path;
}

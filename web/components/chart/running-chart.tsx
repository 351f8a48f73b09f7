import { Plot, type Area, type PlotPoint } from './plot.tsx';
import { roundScale } from './scale.ts';

export interface RunningPoint extends PlotPoint {
  /** Of the first and the second line; undefined where a line has ended. */
  values: readonly [number | undefined, number | undefined];
}

interface RunningChartProps {
  label: string;
  points: readonly RunningPoint[];
  formatTick: (value: number) => string;
  active: number;
  onActive: (index: number) => void;
}

const LOOKS = [
  { line: 'stroke-accent stroke-2', dot: 'stroke-accent', dashes: undefined },
  { line: 'stroke-muted stroke-[1.5]', dot: 'stroke-muted', dashes: '1 4' },
] as const;

/** Two sums that grow from day to day. */
export function RunningChart({ points, ...rest }: RunningChartProps) {
  const scale = roundScale(
    points.flatMap(({ values }) => values.filter((value) => value !== undefined)),
    { fromZero: true },
  );
  const positions = points.map((_, index) => (points.length === 1 ? 0.5 : index / (points.length - 1)));
  return (
    <Plot {...rest} points={points} scale={scale} positions={positions}>
      {(area) => (
        <>
          <line
            x1={area.x(rest.active)}
            x2={area.x(rest.active)}
            y1={area.top}
            y2={area.bottom}
            className="stroke-line-strong"
          />
          <Line points={points} which={1} area={area} active={rest.active} />
          <Line points={points} which={0} area={area} active={rest.active} />
        </>
      )}
    </Plot>
  );
}

interface LineProps {
  points: readonly RunningPoint[];
  which: 0 | 1;
  area: Area;
  active: number;
}

function Line({ points, which, area, active }: LineProps) {
  const { line, dot, dashes } = LOOKS[which];
  const path = points.flatMap(({ values }, index) => {
    const value = values[which];
    return value === undefined ? [] : [`${area.x(index).toFixed(1)} ${area.y(value).toFixed(1)}`];
  });
  const chosen = points[active]?.values[which];
  return (
    <>
      <path
        d={`M${path.join('L')}`}
        className={`fill-none ${line}`}
        strokeLinejoin="round"
        strokeLinecap="round"
        strokeDasharray={dashes}
      />
      {chosen !== undefined && (
        <circle cx={area.x(active)} cy={area.y(chosen)} r={4} className={`fill-surface stroke-2 ${dot}`} />
      )}
    </>
  );
}

export function RunningLegend({ first, second }: { first: string; second: string }) {
  return (
    <ul className="flex flex-wrap gap-x-4 text-sm text-muted">
      {[first, second].map((name, index) => (
        <li key={name} className="flex items-center gap-2">
          <svg aria-hidden width="24" height="4" className="shrink-0">
            <line
              x1="1"
              x2="23"
              y1="2"
              y2="2"
              className={LOOKS[index]?.line}
              strokeLinecap="round"
              strokeDasharray={LOOKS[index]?.dashes}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

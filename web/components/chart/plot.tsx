import type { PointerEvent, ReactNode } from 'react';

import type { Scale } from './scale.ts';
import { labelled } from './scale.ts';
import { useWidth } from './use-width.ts';

const PLOT_HEIGHT = 240;
const AXIS_WIDTH = 56;
const LABELS_HEIGHT = 24;
const TOP = 8;
const RIGHT = 20;
const LABEL_ROOM = 72;

/** A point of the plot: what it is called on the axis, and all that it says, in words. */
export interface PlotPoint {
  label: string;
  text: string;
}

/** Where the parts of a picture are, in pixels. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: (index: number) => number;
  y: (value: number) => number;
}

interface PlotProps {
  /** What the chart shows: its name for screen readers. */
  label: string;
  points: readonly PlotPoint[];
  scale: Scale;
  formatTick: (value: number) => string;
  /** Where points are from left to right, from 0 to 1. */
  positions: readonly number[];
  active: number;
  onActive: (index: number) => void;
  children: (area: Area) => ReactNode;
}

/**
 * Axes, and one of the points chosen: by pointing, by touch, or with the arrow keys. The picture itself is hidden from
 * screen readers, which hear the points as the values of a slider.
 */
export function Plot({ label, points, scale, formatTick, positions, active, onActive, children }: PlotProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  const area = areaOf(width, scale, positions);
  const choose = (event: PointerEvent<HTMLDivElement>): void => {
    const at =
      (event.clientX - event.currentTarget.getBoundingClientRect().left - area.left) / (area.right - area.left);
    onActive(nearest(positions, at));
  };
  const written = labelled(points.length, area.right - area.left, LABEL_ROOM);
  return (
    <div
      ref={element}
      className="relative touch-pan-y rounded-control has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-focus"
      onPointerMove={choose}
      onPointerDown={choose}
    >
      <svg aria-hidden width="100%" height={PLOT_HEIGHT} className="block overflow-visible text-xs">
        {scale.ticks.map((tick) => (
          <g key={tick}>
            <line x1={area.left} x2={area.right} y1={area.y(tick)} y2={area.y(tick)} className="stroke-line" />
            <text x={area.left - 8} y={area.y(tick)} dy="0.32em" textAnchor="end" className="fill-muted tabular-nums">
              {formatTick(tick)}
            </text>
          </g>
        ))}
        {children(area)}
        {points.map((point, index) =>
          written.has(index) ? (
            <text
              key={point.label + String(index)}
              {...labelPlace(area, index)}
              y={PLOT_HEIGHT - 6}
              className={index === active ? 'fill-ink font-semibold' : 'fill-muted'}
            >
              {point.label}
            </text>
          ) : null,
        )}
      </svg>
      <input
        type="range"
        min={0}
        max={points.length - 1}
        step={1}
        value={active}
        aria-label={label}
        aria-valuetext={points[active]?.text ?? ''}
        onChange={(event) => onActive(Number(event.currentTarget.value))}
        className="sr-only"
      />
    </div>
  );
}

function areaOf(width: number, scale: Scale, positions: readonly number[]): Area {
  const [left, right, top, bottom] = [
    AXIS_WIDTH,
    Math.max(width - RIGHT, AXIS_WIDTH + 1),
    TOP,
    PLOT_HEIGHT - LABELS_HEIGHT,
  ];
  return {
    left,
    right,
    top,
    bottom,
    x: (index) => left + (positions[index] ?? 0) * (right - left),
    y: (value) => bottom - scale.at(value) * (bottom - top),
  };
}

/** Below its point; one at the edge ends there instead of standing out. */
function labelPlace({ right, x }: Area, index: number): { x: number; textAnchor: 'middle' | 'end' } {
  const isAtEdge = x(index) + LABEL_ROOM / 2 > right + RIGHT;
  return isAtEdge ? { x: right + RIGHT, textAnchor: 'end' } : { x: x(index), textAnchor: 'middle' };
}

function nearest(positions: readonly number[], at: number): number {
  let best = 0;
  for (const [index, position] of positions.entries()) {
    if (Math.abs(position - at) < Math.abs((positions[best] ?? 0) - at)) best = index;
  }
  return best;
}

import { useState } from 'react';

import { ColumnChart, PairLegend } from '../../components/chart/column-chart.tsx';
import { Figure } from '../../components/chart/figure.tsx';
import { LineChart, type LinePoint } from '../../components/chart/line-chart.tsx';
import { RunningChart, RunningLegend, type RunningPoint } from '../../components/chart/running-chart.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { formatCompact, moneyColumn } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Segmented } from '../../components/segmented.tsx';

const NETS = [-120.5, 80, 240.25, 310, 290, 512.75, 498, 640];
const LINE: readonly LinePoint[] = NETS.map((value, index) => ({
  date: `2026-0${index + 1}-01`,
  label: `${index + 1}/26`,
  text: `Month ${index + 1}: ${value.toFixed(2)}`,
  value,
  isDerived: index > 2 && index < 6,
}));
const PAIRS = LINE.map(({ label, text, value }) => ({ label, text, values: [400 + value, 380] as const }));

const RUNNING = [0, 12, 40, 40, 95, 120, 180].map((value, index): RunningPoint => ({
  label: String(index + 1),
  text: `Day ${index + 1}`,
  values: [index > 4 ? undefined : value, value * 0.8],
}));

export function ChartSamples() {
  const [point, setPoint] = useState(LINE.length - 1);
  const [pair, setPair] = useState(0);
  const [period, setPeriod] = useState<'short' | 'long'>('long');
  const table = (
    <DataTable
      caption="The figures of the chart"
      columns={[
        { title: 'Month', isRowHeader: true, cell: ({ label }) => label },
        moneyColumn<LinePoint>('Net', 'EUR', ({ value }) => value.toFixed(2)),
      ]}
      rows={LINE}
      keyOf={({ date }) => date}
      empty={null}
    />
  );
  return (
    <>
      <Section
        title="A value over time"
        actions={
          <Segmented
            label="Period"
            options={[
              { value: 'short', label: '3 M', title: '3 months' },
              { value: 'long', label: 'All' },
            ]}
            value={period}
            onChange={setPeriod}
          />
        }
      >
        <Figure summary="Dashed parts are computed. The arrow keys go from point to point." table={table}>
          <LineChart
            label="Net worth of a month"
            points={period === 'long' ? LINE : LINE.slice(-3)}
            formatTick={(value) => formatCompact(value, 'EUR')}
            active={period === 'long' ? point : Math.min(point, 2)}
            onActive={setPoint}
          />
        </Figure>
      </Section>
      <Section title="Two values per period">
        <PairLegend first="In" second="Out" />
        <ColumnChart
          label="In and out of a month"
          pairs={PAIRS}
          formatTick={(value) => formatCompact(value, null)}
          active={pair}
          onActive={setPair}
        />
      </Section>
      <RunningSample />
    </>
  );
}

function RunningSample() {
  const [day, setDay] = useState(4);
  return (
    <Section title="A sum that grows, against an earlier one">
      <RunningLegend first="April" second="March" />
      <RunningChart
        label="Spent up to each day"
        points={RUNNING}
        formatTick={(value) => formatCompact(value, 'EUR')}
        active={day}
        onActive={setDay}
      />
    </Section>
  );
}

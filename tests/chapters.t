#!/usr/bin/env bash
# Do chapters 1 to 4 run on the simulator, at the profile size and at awkward
# ones, with the partials, the sum and the counts that they state? And do their
# broken programs break as the book says?
. "$(dirname "$0")/lib.sh"

export LD_LIBRARY_PATH=build/sim${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export SIM_CHECK=1
unset SIM_SCHEDULE SIM_THREADS SIM_LIMIT

for part in build/sim/libcuda.so.1 build/chapter{1,2,3,4}/reduce{,.ptx}; do
  if [ ! -e "$part" ]; then
    ok 1 "$part is built"
    finish
  fi
done

# run CHAPTER KERNEL N BLOCK [OPTION...]: status in $status, output in $said.
run() {
  local chapter=$1 kernel=$2 n=$3 block=$4
  shift 4
  rm -f "$scratch/launches" "$scratch/report.json"
  status=0
  said=$(SIM_REPORT=$scratch/launches "build/chapter$chapter/reduce" \
    --ptx "build/chapter$chapter/$kernel.ptx" --n "$n" --block "$block" \
    --report "$scratch/report.json" --ptx-origin built --compiled no "$@" \
    2>&1) || status=$?
}

# ask EXPRESSION: prints what perl makes of it; the report is %r.
ask() {
  perl -MJSON::PP -e '
    local $/;
    open my $file, "<", shift or die "no report\n";
    our %r = %{ decode_json(<$file>) };
    my $answer = eval shift;
    die $@ if $@;
    print $answer;' "$scratch/report.json" "$1" 2>&1
}

# The closed forms, and the exact sum, worked out here by themselves. Prints
# what does not hold, nothing when all does.
cat >"$scratch/judge.pl" <<'PERL'
use strict;
use warnings;
no warnings "portable"; # 64-bit constants
use JSON::PP;

my ($path, $chapter, $n, $block) = @ARGV;
open my $file, "<", $path or die "no report\n";
my $r = do { local $/; decode_json(<$file>) };
my $blocks = int(($n + $block - 1) / $block);
my $warps = $blocks * $block / 32;
my $eighth = int(($n + 7) / 8);
my $lines = int(($n + 31) / 32);

sub must {
  my ($name, $got, $want) = @_;
  $got = "null" if !defined $got;
  print "$name is $got, not $want\n" if $got ne $want;
}

my %all = (global_store_sectors => $blocks, global_store_requests => $blocks,
  votes => 0, reduxes => 0);
my %of = (
  1 => { global_load_sectors => $n, global_load_requests => $n, shuffles => 0,
    barriers => 0, shared_load_wavefronts => 0, shared_store_wavefronts => 0,
    shared_bank_conflicts => 0 },
  2 => { shuffles => 0, barriers => $warps, shared_bank_conflicts => 0,
    shared_store_wavefronts => $warps,
    shared_load_wavefronts => $blocks * $block },
  3 => { shuffles => 5 * $warps, barriers => $warps,
    shared_bank_conflicts => 0, shared_store_wavefronts => $warps,
    shared_load_wavefronts => $warps },
  4 => { shuffles => 5 * ($warps + $blocks), barriers => $warps,
    shared_bank_conflicts => 0, shared_store_wavefronts => $warps,
    shared_load_wavefronts => $blocks },
);
my %want = (global_load_sectors => $eighth, global_load_requests => $lines,
  %all, %{ $of{$chapter} });
must("counters.$_", $r->{counters}{$_}, $want{$_}) for sort keys %want;
must("number of counters", scalar keys %{ $r->{counters} }, 13);
print "nothing was executed\n" if !$r->{counters}{instructions};

my $sectors = $want{global_load_sectors} + $blocks;
must("gate.limit", $r->{gate}{limit}, 1500000);
must("gate.sectors", $r->{gate}{sectors}, $sectors);
must("gate.pass", $r->{gate}{pass} ? 1 : 0, $sectors <= 1500000 ? 1 : 0);
must("chapter", $r->{chapter}, $chapter);
must("kernel", $r->{kernel}, "reduce");
must("device", $r->{device}, "simulator");
must("n", $r->{n}, $n);
must("block", $r->{block}, $block);
must("grid", $r->{grid}, $blocks);
must("pass", $r->{pass} ? 1 : 0, 1);
must("partials_bitwise", $r->{partials_bitwise} ? 1 : 0, 1);
must("checked", join(",", map { $r->{checked}{$_} ? 1 : 0 }
  qw(modelled compiled measured)), "1,0,0");
must("diagnoses", scalar @{ $r->{diagnoses} }, 0);
print "the sum is off\n"
  if abs($r->{sum} - $r->{reference}) > $r->{error_bound};
print "the bound is loose\n"
  if $r->{error_bound} > (1.7 * $n + 8) * $block * 2**-24;

sub product { use integer; return $_[0] * $_[1]; }
sub scramble {
  my $z = product($_[0] + 1, 0x9e3779b97f4a7c15);
  $z = product($z ^ ($z >> 30 & (1 << 34) - 1), 0xbf58476d1ce4e5b9);
  $z = product($z ^ ($z >> 27 & (1 << 37) - 1), 0x94d049bb133111eb);
  return ($z ^ ($z >> 31 & (1 << 33) - 1)) & 0xffffffffffffffff;
}
if ($n <= 5000) { # sums of so few are exact in a double
  my $sum = 0;
  for my $i (0 .. $n - 1) {
    my $bits = scramble($i);
    my $power = ($bits >> 23 & 0xffff) % 9 - 6;
    my $x = (1 + ($bits & 0x7fffff) / 2**23) * 2**$power;
    $sum += $bits >> 62 ? $x : -$x;
  }
  must("reference", $r->{reference}, $sum);
}
PERL

# judged CHAPTER N BLOCK NAME: a run that must pass, in every respect.
judged() {
  run "$1" reduce "$2" "$3"
  is "$status $(perl "$scratch/judge.pl" "$scratch/report.json" "$1" "$2" \
    "$3" 2>&1)" "0 " "chapter $1, N=$2, BLOCK=$3: $4"
}

for chapter in 1 2 3 4; do
  judged $chapter 4194304 256 "the profile size"
  like "$said" "^PASS chapter $chapter\$" "it says so"
  if [ $chapter = 1 ]; then
    is "$(ask '$r{gate}{sectors} . ($r{gate}{pass} ? "passes" : "fails")')" \
      4210688fails "chapter 1 fails the gate"
    like "$said" 'gate .*4,210,688 .*fails, as this chapter asserts' \
      "and asserts that it does"
  else
    is "$(ask '$r{gate}{sectors} . ($r{gate}{pass} ? "passes" : "fails")')" \
      540672passes "chapter $chapter passes the gate"
  fi
  judged $chapter 4194303 256 "one less"
  for n in 1 31 33 255 257; do
    judged $chapter $n 256 "a short last block"
  done
  judged $chapter 1000 96 "three warps a block"
  judged $chapter 1000 32 "one warp a block"
  judged $chapter 1000 1024 "one large block"

  run $chapter reduce 0 256
  is "$status $(ask 'join ",", $r{launched} ? 1 : 0, $r{sum}, $r{grid},
    $r{partials_bitwise} ? 1 : 0, $r{pass} ? 1 : 0,
    scalar grep { defined } values %{$r{counters}}')" "0 0,0,0,1,1,0" \
    "chapter $chapter, N=0: nothing is launched, and nothing counted"
done

# The chapters' sums belong together: 2 adds as 1 does.
for n in 257 4194303; do
  run 1 reduce $n 256
  one=$(ask '$r{sum}')
  run 2 reduce $n 256
  is "$(ask '$r{sum}')" "$one" "chapters 1 and 2 have one sum for N=$n"
done

# The order in which warps run changes nothing, nor does the number of threads.
# Under `side` a warp stays apart after a branch, so that warp-level counts may
# grow; the sum and what the lanes do stay.
counted='JSON::PP->new->canonical->encode([$r{sum}, $r{counters}])'
done='join " ", $r{sum}, $r{partials_bitwise} ? 1 : 0, $r{pass} ? 1 : 0,
  $r{counters}{lane_instructions}, scalar @{$r{diagnoses}}'
for chapter in 1 2 3 4; do
  run $chapter reduce 1000 96
  plain=$(ask "$counted")
  all_done=$(ask "$done")
  for schedule in eager first last seed:7; do
    export SIM_SCHEDULE=$schedule
    run $chapter reduce 1000 96
    is "$status $(ask "$counted")" "0 $plain" \
      "chapter $chapter, schedule $schedule"
  done
  export SIM_SCHEDULE=side
  run $chapter reduce 1000 96 --counts show
  is "$status $(ask "$done")" "0 $all_done" "chapter $chapter, schedule side"
  unset SIM_SCHEDULE
  for threads in 1 3; do
    SIM_THREADS=$threads run $chapter reduce 1000 96
    is "$status $(ask "$counted")" "0 $plain" \
      "chapter $chapter, $threads host threads"
  done
done

# Variants and solutions pass; with --counts show, counts assert nothing.
# A line is CHAPTER KERNEL N.
while read -r chapter kernel n; do
  run "$chapter" "$kernel" "$n" 256 --counts show
  is "$status $(ask '($r{partials_bitwise} ? 1 : 0) . ($r{pass} ? 1 : 0)')" \
    "0 11" "chapter $chapter's $kernel passes, N=$n"
done <<'TABLE'
1 fourwide 4194304
1 fourwide 1001
1 unrolled 1001
2 predicated 4194304
2 predicated 1001
TABLE

# The broken ones are caught, by the part of the judge that the book names.
run 1 noguard 1024 256
is $status 0 "noguard passes where the last block is full"
run 1 noguard 1000 256
is "$status $(ask 'join ",", map { $_->{id} } @{$r{diagnoses}}')" \
  "1 out-of-bounds" "noguard is caught at N=1000"
like "$said" 'did not get to its end' "and the program says how it ended"
run 1 everyone 65536 256
is "$status $(ask '($r{partials_bitwise} ? 1 : 0) . " "
  . $r{counters}{global_load_sectors}')" "1 1 524288" \
  "everyone has the right bits and eight times the sectors"
run 1 indouble 65536 256
is "$status $(ask '($r{sum_within_bound} ? 1 : 0)
  . ($r{partials_bitwise} ? 1 : 0)')" "1 10" \
  "indouble is within the bound, and not the same bits"
like "$said" 'near: [1-9][0-9]* \(' "and is called near"
unlike "$said" 'far off' "and not far off"
run 2 columns 4194304 256
is "$status $(ask 'join " ", $r{partials_bitwise} ? 1 : 0,
  $r{counters}{global_load_sectors}, $r{gate}{pass} ? 1 : 0,
  $r{counters}{shared_bank_conflicts} > 0 ? 1 : 0')" "1 1 4194304 0 1" \
  "columns has the right bits, fails the gate and has bank conflicts"
run 2 nobarrier 65536 256
is "$status $(ask 'my %id = map { $_->{id} => 1 } @{$r{diagnoses}};
  join ",", keys %id')" "1 shared-race" "nobarrier is a race, whatever the sum"
run 2 leaving 65536 256
is $status 0 "leaving passes where the last block is full"
run 2 leaving 1000 256
is "$status $(ask '$r{blocks_different}')" "1 1" \
  "leaving is caught at N=1000, in the last block"

# The finder is on unless it is switched off, and the report says which.
unset SIM_CHECK
run 2 nobarrier 65536 256
is "$status $(ask '$r{finder} && @{$r{diagnoses}} ? 1 : 0')" "1 1" \
  "the finder is on by default"
SIM_CHECK=0 run 2 reduce 1000 256
is "$status $(ask '$r{finder} ? 1 : 0')" "0 0" "switched off, it says so"
like "$said" 'mistakes +not checked' "on the screen too"
export SIM_CHECK=1

# What cannot run is refused, with status 2 and no report.
while read -r n block why; do
  run 1 reduce "$n" "$block"
  is "$status $(wc -l <<<"$said") $(ls "$scratch"/report.json 2>/dev/null)" \
    "2 1 " "N=$n BLOCK=$block is refused in one line"
  like "$said" "$why" "and the reason is right"
done <<'TABLE'
-1 256 fewer than 0
2147483648 256 at most 2147483647
many 256 not a whole number
1000 0 at least one warp
1000 -32 at least one warp
1000 48 multiple of 32
1000 1056 at most 1024
TABLE
run 1 missing 1000 256
is $status 2 "a missing PTX file cannot be judged"
sed 's/add\.rn\.f32/add.zz.f32/' build/chapter1/reduce.ptx >"$scratch/bad.ptx"
run 1 reduce 1000 256 --ptx "$scratch/bad.ptx"
is $status 2 "nor can PTX with an unknown modifier"
like "$said" 'zz' "which is named"
run 1 reduce 1000 256 --kernel nothing
is $status 2 "nor can a kernel that is not in it"
like "$said" 'no kernel named nothing' "and the program says so"

# The stride table of chapter 2: lanes that touch the same sector share it.
if [ -x build/sim/ptxrun ] && [ -f build/chapter2/window.ptx ]; then
  while read -r stride offset sectors; do
    said=$(build/sim/ptxrun --kernel window --json --arg in:f32:0..1100 \
      --arg out:f32:32 --arg "s32:$stride" --arg "s32:$offset" \
      build/chapter2/window.ptx 2>&1)
    like "$said" "\"global_load_sectors\": ?$sectors\b" \
      "stride $stride, offset $offset: $sectors sectors"
  done <<'TABLE'
0 0 1
1 0 4
1 1 5
1 7 5
1 8 4
2 0 8
2 1 8
3 0 12
8 0 32
8 3 32
32 0 32
TABLE
else
  ok 1 "build/sim/ptxrun and build/chapter2/window.ptx are built"
fi

finish

(* A stream of which Algorithm 4 learns all n(n+1)/2 targets from scratch. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect.
Require Import Algorithm3 Online.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Staircase.
Variable n : nat.
Implicit Types (i d : nat) (T p : {set 'I_n}) (P : seq {set 'I_n}).

(* The targets {i} u {j : j > i + d}; first all with d = 0, then d = 1, ... *)
Definition stair d i : {set 'I_n} := [set j : 'I_n | (j == i :> nat) || (i + d < j)].
Fixpoint row d i := if i is i'.+1 then stair d i' :: row d i' else [::].
Fixpoint rows d := if d is d'.+1 then row d' (n - d') ++ rows d' else [::].


(* What has come before the target of d and i. *)
Definition earlier d i T := exists d' i', T = stair d' i' /\
  (d' < d \/ d' = d /\ i' < i).
Lemma row_mem d i T : T \in row d i -> exists2 i', i' < i & T = stair d i'.
Proof.
elim: i => //= i IH; rewrite inE => /orP[/eqP->|/IH[i' h ->]]; first by exists i.
by exists i' => //; apply: ltnW.
Qed.
Lemma before d i T : T \in row d i ++ rows d -> earlier d i T.
Proof.
have rows_mem e U : U \in rows e -> exists d' i', U = stair d' i' /\ d' < e.
  elim: e => //= e IH; rewrite mem_cat => /orP[/row_mem[j _ ->]|/IH[d' [j [-> h]]]].
    by exists e, j.
  by exists d', j; split=> //; apply: ltnW.
rewrite mem_cat => /orP[/row_mem[j h ->]|/rows_mem[d' [j [-> h]]]].
  by exists d, j; split=> //; right.
by exists d', j; split=> //; left.
Qed.

(* A variable that takes with it one outside of T is covered by nothing in T. *)
Lemma pays (TS : {set {set 'I_n}}) P T x w : run TS P -> x \in T -> w \notin T ->
  (forall U, U \in TS -> x \in U -> w \in U) -> uncovered P T != set0.
Proof.
move=> hP hx hw hs; apply/set0Pn; exists x; apply/uncoveredP; split=> // p hp.
move=> /subsetP hpT; have [z E] := run_cl hP hp; apply: contra hw => hxp.
apply: hpT; move: hxp; rewrite E !clE => /subset_trans; apply.
by apply/subsetP => U; rewrite !inE => /andP[hU /(hs _ hU)->]; rewrite hU.
Qed.
Lemma nothing_known (P : seq {set 'I_n}) : run set0 P -> P = [::].
Proof. by case=> // {}P T z _; rewrite inE. Qed.

(* The target of d and i is learned from scratch. *)
Lemma step L d i : i + d < n -> (forall T, T \in L -> earlier d i T) ->
  online L L -> online (stair d i :: L) (stair d i :: L).
Proof.
move=> hid hL hO; have [hP hR] := algorithm3_stops (kept L).
apply: (scratch hO hP hR); have hi : i < n := leq_ltn_trans (leq_addr d i) hid.
have hx : Ordinal hi \in stair d i by rewrite inE eqxx.
case: d hid hL hx => [|d] hid hL hx; first case: i hid hL hi hx => [|i] hid hL hi hx.
- (* the first target of all *)
  have E : kept L = set0.
    apply/setP => T; rewrite !inE; apply/negP => /hL[d' [i' [_ []]]] //.
    by case.
  move: hP; rewrite E => /nothing_known ->; apply/set0Pn; exists (Ordinal hi).
  by apply/uncoveredP.
- (* d = 0: who has i + 1, has i *)
  apply: (@pays _ _ _ _ (Ordinal (ltnW hi)) hP hx) => [|U].
    by rewrite inE /= addn0 negb_or -leqNgt leqnSn andbT neq_ltn ltnSn.
  rewrite inE => /hL[d' [i' [-> []]]] // [-> h]; rewrite !inE /= !addn0.
  by move=> _; rewrite eq_sym -leq_eqVlt -ltnS.
- (* d > 0: who has i, has i + d *)
  apply: (@pays _ _ _ _ (Ordinal hid) hP hx) => [|U].
    by rewrite inE /= ltnn orbF -[X in _ == X]addn0 eqn_add2l.
  rewrite inE => /hL[d' [i' [-> h]]]; rewrite !inE /= => /orP[/eqP E|lt].
    rewrite -E ltn_add2l; case: h => [->|[_]]; first by rewrite orbT.
    by rewrite E ltnn.
  by rewrite (leq_trans lt (leq_addr _ _)) orbT.
Qed.

Lemma all_scratch d i : d <= n -> i <= n - d ->
  online (row d i ++ rows d) (row d i ++ rows d).
Proof.
elim: d i => [|d IHd]; elim=> [|i IHi] hd hi /=.
- exact: nothing.
- apply: step; [by rewrite addn0; move: hi; rewrite subn0|exact: (@before 0 i)|].
  by apply: IHi => //; apply: ltnW.
- by apply: IHd => //; apply: ltnW.
- apply: step; [by rewrite addnC -ltn_subRL|exact: (@before d.+1 i)|].
  by apply: IHi => //; apply: ltnW.
Qed.

Lemma rows_size d : d <= n -> 2 * size (rows d) + (n - d) * (n - d).+1 = n * n.+1.
Proof.
elim: d => [|d IH] hd /=; first by rewrite subn0.
have size_row e i : size (row e i) = i by elim: i => //= i ->.
rewrite -(IH (ltnW hd)) size_cat size_row; have -> : n - d = (n - d.+1).+1.
  by rewrite subnSK.
move: (n - d.+1) (size _) => a b; rewrite -!multE -!plusE; nia.
Qed.

Theorem attained : exists S L : seq {set 'I_n}, online S L /\ 2 * size L = n * n.+1.
Proof.
have := rows_size (leqnn n); rewrite subnn mul0n addn0 => E.
exists (rows n), (rows n); split=> //.
exact: (@all_scratch n 0 (leqnn n) (leq0n _)).
Qed.
End Staircase.
Print Assumptions attained.

(* Algorithm 3 of the paper: what it leaves does not depend on its choices. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Family.
Variables (V : finType) (TS : {set {set V}}).   (* any family of targets *)
Implicit Types (x y z w : V) (T p q : {set V}) (P : seq {set V}).

Definition N z := [set T in TS | z \in T].
Definition cl z := \bigcap_(T in N z) T.
Definition uncovered P T := T :\: \bigcup_(p in P | p \subset T) p.

(* All outputs of Algorithm 3, whatever the order and the choices. *)
Inductive run : seq {set V} -> Prop :=
| start : run [::]
| round P T z : run P -> T \in TS -> z \in uncovered P T ->
    (forall x, x \in uncovered P T -> ~~ (N x \proper N z)) ->
    run (cl z :: P).
Definition represents P := forall T, T \in TS -> uncovered P T = set0.

Definition minimal z T := (z \in T) && [forall x in T, ~~ (N x \proper N z)].
Definition M := [set cl z | z in [set z | [exists T in TS, minimal z T]]].

Lemma clE x z : (x \in cl z) = (N z \subset N x).
Proof.
apply/bigcapP/subsetP => [h T hT | h T /h]; last by rewrite inE => /andP[].
by rewrite inE (h _ hT); move: hT; rewrite inE => /andP[->].
Qed.
Lemma mem_cl z : z \in cl z. Proof. by rewrite clE. Qed.
Lemma cl_sub z T : T \in TS -> z \in T -> cl z \subset T.
Proof. by move=> hT hz; apply: bigcap_inf; rewrite inE hT. Qed.
Lemma cl_eq z w : N z = N w -> cl z = cl w.
Proof. by rewrite /cl => ->. Qed.
Lemma mem_sub x z T : T \in TS -> N x \subset N z -> x \in T -> z \in T.
Proof.
by move=> hT /subsetP h hx; have := h T; rewrite !inE hT hx => /(_ isT).
Qed.
Lemma uncoveredP P T x : reflect
  (x \in T /\ forall p, p \in P -> p \subset T -> x \notin p)
  (x \in uncovered P T).
Proof.
rewrite inE; apply: (iffP andP) => [[h ->]|[-> h]]; split=> //.
- by move=> p hp hpT; apply: contra h => hx; apply/bigcupP; exists p; rewrite ?hp.
- by apply/bigcupP => -[p /andP[hp hpT] hx]; move: (h p hp hpT); rewrite hx.
Qed.

Lemma run_cl P p : run P -> p \in P -> exists w, p = cl w.
Proof.
by elim=> // {}P T z _ IH _ _ _; rewrite inE => /orP[/eqP->|//]; exists z.
Qed.

(* The exchange lemma. *)
Lemma exchange P T z x : run P -> T \in TS -> z \in uncovered P T ->
  x \in T -> N x \subset N z -> x \in uncovered P T.
Proof.
move=> hP hT /uncoveredP[hz h] hx hxz; apply/uncoveredP; split=> // p hp hpT.
apply: contra (h p hp hpT); case: (run_cl hP hp) => w ->.
by rewrite !clE => /subset_trans; apply.
Qed.
Lemma chosen_minimal P T z : run P -> T \in TS -> z \in uncovered P T ->
  (forall x, x \in uncovered P T -> ~~ (N x \proper N z)) -> minimal z T.
Proof.
move=> hP hT hz h; rewrite /minimal; case/uncoveredP: (hz) => -> _ /=.
apply/forall_inP => x hx; apply/negP => hxz.
have /h : x \in uncovered P T by apply: (exchange hP hT hz hx); apply: proper_sub.
by rewrite hxz.
Qed.
Lemma run_uniq P : run P -> uniq P.
Proof.
elim=> //= {}P T z hP -> hT /uncoveredP[hz h] _; rewrite andbT.
by apply/negP => /h; rewrite cl_sub // mem_cl => /(_ isT).
Qed.
Lemma run_M P : run P -> {subset P <= M}.
Proof.
elim=> // {}P T z hP IH hT hz h p; rewrite inE => /orP[/eqP->|/IH//].
apply: imset_f; rewrite inE; apply/existsP; exists T.
by rewrite hT (chosen_minimal hP hT hz h).
Qed.

(* While some target is not represented, there is a further round. *)
Lemma progress P T : run P -> T \in TS -> uncovered P T != set0 ->
  exists z, run (cl z :: P).
Proof.
move=> hP hT /set0Pn[z0 hz0].
case: (@arg_minnP _ z0 [pred z in uncovered P T] (fun z => #|N z|) hz0) => z hz h.
exists z; apply: (round hP hT hz) => x /h hx.
by apply/negP => /proper_card; rewrite ltnNge hx.
Qed.

(* No choice matters: the output is M, each member once. *)
Theorem canonical P : run P -> represents P -> P =i M.
Proof.
move=> hP hR p; apply/idP/idP; first exact: run_M.
case/imsetP=> z; rewrite inE => /existsP[T /and3P[hT hz /forall_inP hmin]] ->.
have : z \notin uncovered P T by rewrite hR // inE.
rewrite inE hz andbT negbK => /bigcupP[q /andP[hq hqT]].
case: (run_cl hP hq) => w E; rewrite E clE => hwz.
have hw : w \in T by apply: (subsetP hqT); rewrite E mem_cl.
suff -> : cl z = cl w by rewrite -E.
apply: cl_eq; apply/eqP; rewrite eqEsubset hwz andbT.
by move: (hmin w hw); rewrite properE hwz negbK.
Qed.

(* Algorithm 3 stops, for no piece comes twice and all are in M. *)
Lemma run_size P : run P -> size P <= #|M|.
Proof.
move=> hP; rewrite cardE; apply: uniq_leq_size (run_uniq hP) _ => p /(run_M hP).
by rewrite mem_enum.
Qed.

(* The algorithm itself: the first target, the least index, n rounds at most. *)
Definition choice P T := [pick z in uncovered P T |
  [forall x in uncovered P T, ~~ (N x \proper N z)]].
Fixpoint rounds n P :=
  if n is n'.+1 then
    if [pick T in TS | uncovered P T != set0] is Some T then
      if choice P T is Some z then rounds n' (cl z :: P) else P
    else P
  else P.
Definition algorithm3 := rounds #|V| [::].

Lemma rounds_run n P : run P ->
  run (rounds n P) /\ (#|M| <= n + size P -> represents (rounds n P)).
Proof.
elim: n P => [|n IH] P hP /=.
  split=> // h T hT; apply/eqP/negPn/negP => /(progress hP hT)[z].
  by move/run_size => /=; rewrite ltnNge h.
case: pickP => [T /andP[hT hn]|hR]; last first.
  split=> // _ T hT; apply/eqP; have := hR T.
  by rewrite /= hT => /negbT; rewrite negbK.
rewrite /choice; case: pickP => [z /andP[hz /forall_inP h]|none].
  by rewrite addSnnS; apply: IH; apply: round hP hT hz h.
case/set0Pn: (hn) => z0 hz0.
case: (@arg_minnP _ z0 [pred z in uncovered P T] (fun z => #|N z|) hz0) => z hz h.
have := none z; rewrite /= in hz; rewrite hz /= => /negbT/negP[].
by apply/forall_inP => x /h hx; apply/negP => /proper_card; rewrite ltnNge hx.
Qed.

Theorem algorithm3_stops : run algorithm3 /\ represents algorithm3.
Proof.
have [h1 h2] := rounds_run #|V| start; split=> //; apply: h2; rewrite addn0.
exact: leq_trans (leq_imset_card _ _) (max_card _).
Qed.
End Family.
Print Assumptions canonical.
Print Assumptions algorithm3_stops.

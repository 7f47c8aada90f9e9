// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {TestUsdc} from "./TestUsdc.sol";

/// @notice USDC whose transfers lie in the way that its mode says. Any account may set the mode.
contract HostileToken is TestUsdc {
    enum Mode {
        Honest,
        // `transferFrom` returns false; nothing moves, and nothing is logged.
        ReturnsFalse,
        // A transfer succeeds, moves nothing and logs nothing.
        Silent,
        // A hundredth of the amount, rounded up, goes to the token; both parts are logged.
        TakesFee,
        // The amount moves, and the log says one more.
        LogsMore,
        // A transfer calls `target` first, and goes on whatever that answers.
        Reenters,
        Reverts,
        // A transfer works where gas is free, as in a simulation, and reverts in a transaction that pays for it.
        RevertsWherePaid,
        // A transfer logs an event of the token's own before its Transfer.
        LogsBetween
    }

    event Fee(address indexed from, uint256 fee);

    Mode public mode;
    address private target;
    bytes private data;
    /// @notice Whether the last call of `Reenters` succeeded.
    bool public reentered;

    constructor(string memory tokenName, string memory tokenVersion) TestUsdc(tokenName, tokenVersion) {}

    function setMode(Mode next) external {
        mode = next;
    }

    function reenter(address into, bytes calldata with) external {
        mode = Mode.Reenters;
        target = into;
        data = with;
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        return mode == Mode.ReturnsFalse ? false : super.transferFrom(from, to, value);
    }

    function move(address from, address to, uint256 value) internal override {
        if (mode == Mode.ReturnsFalse || mode == Mode.Silent) return;
        if (mode == Mode.Reverts || (mode == Mode.RevertsWherePaid && tx.gasprice > 0)) revert("HostileToken: no");
        if (mode == Mode.LogsBetween) emit Fee(from, 0);
        if (mode == Mode.Reenters) (reentered,) = target.call(data);
        uint256 fee = mode == Mode.TakesFee ? (value + 99) / 100 : 0;
        super.move(from, to, value - fee);
        if (fee > 0) super.move(from, address(this), fee);
    }

    function logged(uint256 value) internal view override returns (uint256) {
        return mode == Mode.LogsMore ? value + 1 : value;
    }
}
